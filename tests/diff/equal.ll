; Names, numbers, the order of blocks and of independent instructions do not count; bitcode is read as text is.
;
; RUN: %silc diff %s %S/Inputs/renamed.ll | FileCheck %s
; RUN: %silc diff %s %s | FileCheck %s --check-prefix=SELF
; RUN: llvm-as %s -o %t.bc
; RUN: %silc diff %t.bc %s
;
; CHECK: {{^}}identical 1 1 0{{$}}
; CHECK-NEXT: {{^}}equal up to order 1 0 0{{$}}
; CHECK-NOT: different
; SELF: {{^}}identical 2 1 0{{$}}
; SELF-NOT: {{^(equal|different)}}

@0 = private constant [3 x i8] c"hi\00"

define ptr @hello() {
  ret ptr @0
}

define i64 @sum(i64 %0, ptr %1) #0 {
  br label %3

3:
  %4 = phi i64 [ 0, %2 ], [ %10, %7 ]
  %5 = phi i64 [ 0, %2 ], [ %11, %7 ]
  %6 = icmp eq i64 %4, %0
  br i1 %6, label %12, label %7

7:
  %8 = getelementptr inbounds i64, ptr %1, i64 %4
  %9 = load i64, ptr %8, align 8
  %10 = add nuw i64 %4, 1
  %11 = add i64 %5, %9
  br label %3

12:
  ret i64 %5
}

attributes #0 = { nounwind }
