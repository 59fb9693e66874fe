#!/usr/bin/env node
// The `docent` command, after `npm link` or `npm i -g .`: equal to `npm run docent --`, from any folder.
process.env['INIT_CWD'] = process.cwd()
process.argv.splice(2, 0, 'docent')
await import('./launch.mjs')
