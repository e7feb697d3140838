/** The panel's page: a frame for its script, under a policy that lets in nothing else. Knows no editor. */

/** What the page is made of. */
export interface Parts {
  /** Where VS Code serves the extension's files from (`webview.cspSource`). */
  source: string;
  script: string;
  style: string;
  /** Fresh for each page. */
  nonce: string;
  language: string;
}

/** The page. Scripts by nonce, the style from the extension, pictures only out of the page itself, and no connections. */
export function page({ source, script, style, nonce, language }: Parts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    // No string is ever made into a page's content: the browser itself refuses it.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${attribute(style)}">
<title>Assent</title>
</head>
<body>
<div id="root"></div>
<script nonce="${nonce}" src="${attribute(script)}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
