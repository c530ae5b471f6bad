; The order of cases, of what a phi takes, of operands that commute is no difference. IR is IR whatever its file is called, also from standard input,
; after a byte order mark, and with the data layout of an older LLVM.
; RUN: split-file %s %t
; RUN: %silc diff %t/a.ll %t/b.ll
; RUN: %silc diff %t/a.ll - < %t/b.ll
; RUN: cp %t/b.ll %t/b.txt && %silc diff %t/a.ll %t/b.txt
; RUN: %python -c "import sys; open(sys.argv[1], 'wb').write(b'\xef\xbb\xbf' + open(sys.argv[2], 'rb').read())" %t/mark.ll %t/a.ll
; RUN: %silc diff %t/a.ll %t/mark.ll

; Two functions are compared alone, whatever they are called.
; RUN: %silc diff --function f,g %t/a.ll %t/c.ll
; RUN: not %silc diff --function f,h %t/a.ll %t/c.ll 2>&1 | FileCheck %s --check-prefix=NO-FUNCTION
; NO-FUNCTION: error: '{{.*}}c.ll' defines no function 'h'

; What LLVM says of a character of several bytes is shown at it.
; RUN: not %silc diff %t/wrong.ll %t/a.ll 2>&1 | FileCheck %s --check-prefix=WRONG
; WRONG: error: expected instruction opcode
; WRONG-NEXT: wrong.ll:2:8

;--- a.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %n) {
entry:
  switch i32 %n, label %a [
    i32 1, label %b
    i32 2, label %c
  ]
a:
  br label %x
b:
  br label %x
c:
  br label %x
x:
  %r = phi i32 [ 1, %a ], [ 2, %b ], [ 3, %c ]
  %s = add i32 %r, %n
  ret i32 %s
}

;--- b.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %n) {
entry:
  switch i32 %n, label %a [
    i32 2, label %c
    i32 1, label %b
  ]
a:
  br label %x
b:
  br label %x
c:
  br label %x
x:
  %r = phi i32 [ 3, %c ], [ 1, %a ], [ 2, %b ]
  %s = add i32 %n, %r
  ret i32 %s
}

;--- c.ll
define i32 @g(i32 %n) {
entry:
  switch i32 %n, label %a [
    i32 1, label %b
    i32 2, label %c
  ]
a:
  br label %x
b:
  br label %x
c:
  br label %x
x:
  %r = phi i32 [ 1, %a ], [ 2, %b ], [ 3, %c ]
  %s = add i32 %r, %n
  ret i32 %s
}

define i32 @f(i32 %n) {
  ret i32 %n
}

;--- wrong.ll
define void @f() {
  %x = é
  ret void
}
