; Trouble ends with 2; what LLVM says against a file is said at its place.
;
; RUN: sh -c '%silc diff %s %s; echo "status $?"' 2>&1 | FileCheck %s --check-prefix=SYNTAX
; RUN: sh -c '%silc diff %s %t.missing.ll; echo "status $?"' 2>&1 | FileCheck %s --check-prefix=SYNTAX
; RUN: sh -c '%silc diff %t.missing.ll %s; echo "status $?"' 2>&1 | FileCheck %s --check-prefix=MISSING
; RUN: sh -c '%silc diff %s; echo "status $?"' 2>&1 | FileCheck %s --check-prefix=ONE
; RUN: sh -c '%silc diff %s %s --ignore names; echo "status $?"' 2>&1 | FileCheck %s --check-prefix=PART
;
; SYNTAX: error: use of undefined value '%x'
; SYNTAX-NEXT: trouble.ll:[[#@LINE+11]]:11
; SYNTAX: status 2
; MISSING: error: cannot read '{{.*}}missing.ll': there is no such file
; MISSING: status 2
; ONE: error: there is one input only
; ONE: status 2
; PART: error: invalid value 'names' for '--ignore <PART>'
; PART: possible values: linkage,
; PART: status 2

define i64 @f() {
  ret i64 %x
}
