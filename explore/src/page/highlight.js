// The colours of SIL, LLVM IR and assembly: a few kinds of words, told apart line by line.
const WORDS = {
  sil: /(?<comment>\/\/.*)|(?<symbol>@"[^"]*"|@[\w$.]+|#[\w.!]+)|(?<value>%\w+|\bbb\d+\b)|(?<type>\$[\w.*]+|"[^"]*")|(?<keyword>(?<==\s|^\s+)[a-z_]+|^[a-z_]+\b)/g,
  ir: /(?<comment>;.*)|(?<symbol>@"[^"]*"|@[\w$.]+)|(?<value>%"[^"]*"|%[\w.]+)|(?<type>\b(?:i\d+|ptr|float|double|void|label)\b)|(?<keyword>(?<==\s|^\s+)[a-z]+|^[a-z]+\b)/g,
  assembly: /(?<comment>(?:#|\/\/).*)|(?<symbol>^"[^"]*":|^[\w$.]+:|"[^"]*"|\$[A-Za-z_][\w$]*)|(?<value>%[a-z]\w*|\b[xwvdq]\d+\b)|(?<keyword>^\t[a-z][\w.]*)|(?<type>\$?-?\b(?:0x[0-9a-f]+|\d+)\b)/g,
};

// Appends `text` to `row`, with an element for each word that has a colour.
function appendHighlighted(row, text, language) {
  let done = 0;
  for (const match of text.matchAll(WORDS[language])) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    row.append(text.slice(done, match.index));
    const word = document.createElement('span');
    word.className = kind;
    word.textContent = match[0];
    row.append(word);
    done = match.index + match[0].length;
  }
  row.append(text.slice(done));
}
