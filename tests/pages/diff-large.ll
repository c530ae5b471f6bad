; The page of 5 MB of LLVM IR opens in less than 3 seconds of processor time.
; REQUIRES: chromedriver
; RUN: %python %S/diff_large.py write %s %t.a.ll
; RUN: sed -e 's/udiv/sdiv/' -e 's/, 13$/, 14/' %t.a.ll > %t.b.ll
; RUN: not %silc diff %t.a.ll %t.b.ll --format html -o %t.html
; RUN: %python %S/diff_large.py open %t.html

define i64 @function(i64 %count, ptr %place) {
entry:
  %start = load i64, ptr %place, align 8
  br label %head

head:
  %index = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ %start, %entry ], [ %added, %body ]
  %done = icmp eq i64 %index, %count
  br i1 %done, label %exit, label %body

body:
  %address = getelementptr inbounds i64, ptr %place, i64 %index
  %element = load i64, ptr %address, align 8
  %square = mul i64 %element, %element
  %share = udiv i64 %square, 7
  %masked = and i64 %share, 255
  %shifted = shl i64 %masked, 2
  %added = add i64 %sum, %shifted
  store i64 %added, ptr %address, align 8
  %next = add nuw i64 %index, 1
  br label %head

exit:
  %result = xor i64 %sum, 13
  ret i64 %result
}
