; Each difference at its line, with the part that it belongs to; parts can be switched off.
;
; RUN: sed -e 's/add nsw/sub nsw/' -e 's/, align 8/, align 4/' -e 's/^define i64 @g/define hidden i64 @g/' -e 's/= { nounwind/= { cold/' %s > %t.ll
; RUN: not %silc diff %s %t.ll | FileCheck %s
; RUN: not %silc diff %s %t.ll --width 160 --color always | FileCheck %s --check-prefix=WIDE
; RUN: not %silc diff %s %t.ll --ignore linkage,alignment,attributes --format json | FileCheck %s --check-prefix=JSON
; RUN: not %silc diff %s %t.ll --format html -o %t.html
; RUN: FileCheck %s --check-prefix=HTML < %t.html
; RUN: sed -e 's/, align 8/, align 4/' %s > %t2.ll
; RUN: not %silc diff %s %t2.ll
; RUN: %silc diff %s %t2.ll --ignore alignment
;
; CHECK: {{^}}different 2 0 0{{$}}
; CHECK: @f: different in body, attributes, alignment
; CHECK-NEXT: - {{.*}}define i64 @f(i64 %0, ptr %1) #0{{$}}
; CHECK-NEXT: + {{.*}}define i64 @f(i64 %0, ptr %1) #0  ; attributes: -nounwind +cold
; CHECK-NEXT: {{^-}} [[#LOAD:@LINE+19]]    %3 = load i64, ptr %1, align 8{{$}}
; CHECK-NEXT: {{^\+}} [[#LOAD]]    %3 = load i64, ptr %1, align 4  ; alignment{{$}}
; CHECK-NEXT: {{^-}} [[#LOAD+1]]    %4 = add nsw i64 %3, %0{{$}}
; CHECK-NEXT: {{^\+}} [[#LOAD+1]]    %4 = sub nsw i64 %3, %0{{$}}
; CHECK-NEXT: {{^ *}}[[#LOAD+2]] ret i64 %4{{$}}
; CHECK: @g: different in linkage
;
; A and B side by side, what differs inverted.
; WIDE: {{add.*\|.*sub}}
;
; JSON: "line":[[#@LINE+10]],"marks":{{\[\[5,8\]\]}},"sil":null,"text":"%4 = add nsw i64 %3, %0"
; JSON-SAME: "line":[[#@LINE+9]],"marks":{{\[\[5,8\]\]}},"sil":null,"text":"%4 = sub nsw i64 %3, %0"
; JSON-NOT: "line":
;
; HTML: <!doctype html>
; HTML: [1,2,"",
; HTML-SAME: %4 = add nsw

define i64 @f(i64 %0, ptr %1) #0 {
  %3 = load i64, ptr %1, align 8
  %4 = add nsw i64 %3, %0
  ret i64 %4
}

define i64 @g(i64 %0) {
  ret i64 %0
}

attributes #0 = { nounwind }
