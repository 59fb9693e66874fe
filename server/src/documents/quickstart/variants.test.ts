import { expect, test } from 'vitest'
import { managerOf } from './variants.ts'

test.each([
  ['npm create vite@latest', 'npm'],
  ['$ pnpm create vite', 'pnpm'],
  ['# create a new project with yarn\nyarn create astro', 'yarn'],
  ['# pwsh\nirm https://w.example/install.ps1 | iex', 'windows'],
  ['curl -fsSL https://w.example/install.sh | sh', 'linux'],
  ['curl https://w.example/api', null],
  ['sudo apt-get install cog', 'debian'],
  ['cog init', null],
  ['', null],
])('names the variant that %j is for', (code, variant) => expect(managerOf(code)).toBe(variant))
