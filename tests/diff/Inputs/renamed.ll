define i64 @sum(i64 %count, ptr %from) #3 {
start:
  br label %test

done:
  ret i64 %sofar

test:
  %index = phi i64 [ 0, %start ], [ %next, %step ]
  %sofar = phi i64 [ 0, %start ], [ %more, %step ]
  %end = icmp eq i64 %index, %count
  br i1 %end, label %done, label %step

step:
  %next = add nuw i64 %index, 1
  %place = getelementptr inbounds i64, ptr %from, i64 %index
  %value = load i64, ptr %place, align 8
  %more = add i64 %sofar, %value
  br label %test
}

@1 = private constant [3 x i8] c"hi\00"

define ptr @hello() {
  ret ptr @1
}

attributes #3 = { nounwind }
