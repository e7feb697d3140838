// The texts that the sources hand to `vscode.l10n.t`, for the bundle that translators work from.
//   node scripts/l10n.mjs [--check]    writes l10n/bundle.l10n.json anew, or says whether that is needed
import { readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Every text of the TypeScript files below a folder, sorted. A text that is put together is an error. */
function texts(folder) {
  const found = new Set();
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.tsx?$/.test(name)) continue;
    const file = path.join(folder, name);
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      if (ts.isCallExpression(node) && isTranslation(node.expression)) {
        const [text] = node.arguments;
        if (!text || !ts.isStringLiteralLike(text)) {
          const { line } = source.getLineAndCharacterOfPosition(node.getStart());
          throw new Error(`${file}:${line + 1}: only a plain text can be translated`);
        }
        found.add(text.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found].sort();
}

/** `t(…)`, taken from `vscode.l10n`, or the whole of it. */
function isTranslation(callee) {
  if (ts.isIdentifier(callee)) return callee.text === 't';
  return ts.isPropertyAccessExpression(callee) && callee.name.text === 't' && /\bl10n$/.test(callee.expression.getText());
}

/** The bundle: each text under itself. */
function bundle(folder) {
  return `${JSON.stringify(Object.fromEntries(texts(folder).map((text) => [text, text])), null, 2)}\n`;
}

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const file = path.join(root, 'l10n/bundle.l10n.json');
const wanted = bundle(path.join(root, 'src'));
if (process.argv[2] !== '--check') {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, wanted);
} else if (readFileSync(file, 'utf8') !== wanted) {
  console.error('l10n/bundle.l10n.json is not in step with the sources: run `npm run l10n`');
  process.exit(1);
}
