// Bundles the extension (Node, `vscode` left outside) and the chat panel (a browser page).
//   node esbuild.mjs [--watch]
import * as esbuild from 'esbuild';

const watch = process.argv.includes('--watch');

const shared = { bundle: true, sourcemap: 'linked', minify: !watch, logLevel: 'warning' };

const builds = [
  {
    ...shared,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
  },
  {
    ...shared,
    entryPoints: [
      { in: 'panel/main.tsx', out: 'panel' },
      { in: 'panel/panel.css', out: 'panel' },
    ],
    outdir: 'dist',
    platform: 'browser',
    target: 'chrome134',
    format: 'iife',
  },
];

for (const options of builds) {
  if (watch) await (await esbuild.context(options)).watch();
  else await esbuild.build(options);
}
