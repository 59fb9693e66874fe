#!/usr/bin/env node
// `docent` as a command, after `npm link` or `npm i -g .`: the same as `npm run docent --`, from any folder.
process.env['INIT_CWD'] = process.cwd()
process.argv.splice(2, 0, 'docent')
await import('./launch.mjs')
