import { expect, test } from 'vitest'
import { cpuSeconds } from '../../../test/support/lib/cpu-seconds.ts'
import { guessLanguage } from './code-language.ts'

test.each([
  ['SELECT a\nFROM b', 'sql'],
  ['-- all of it\nselect a from b;', 'sql'],
  ['CREATE UNIQUE INDEX i ON t (a);', 'sql'],
  ['mydb=> UPDATE t SET a = 1;', 'sql'],
  ['sqlite> pragma journal_mode;', 'sql'],
  ['WITH RECURSIVE c(x) AS (VALUES(1)) SELECT x FROM c;', 'sql'],
  ['$ kiln fire\nfired', 'console'],
  ['>>> 1 + 1\n2', 'pycon'],
  ['#include <kiln.h>\n\nint main(void) { return 0; }', 'c'],
  ['int kiln_fire(kiln *k);\nint kiln_cool(kiln *k);', 'c'],
  ['/* Heats it. */\nstatic void fire(kiln *k)\n{\n}', 'c'],
  ['typedef struct kiln kiln;', 'c'],
  ['#include <vector>\nstd::vector<int> v;', 'cpp'],
  ['from kiln import fire\n\nfire(k)', 'python'],
  ['def fire(k):\n    return {\n        1: 2,\n    }', 'python'],
  ['class Kiln(Oven):\n    pass', 'python'],
  ['{"a": [1, 2]}', 'json'],
  ['<?xml version="1.0"?><a/>', 'xml'],
  ['<div class="a">b</div>', 'html'],
  ['diff --git a/x b/x', 'diff'],
])('recognises %j as %s', (code, language) => expect(guessLanguage(code)).toBe(language))

test.each([
  ['Select the kiln and press the button'],
  ['select the kiln'],
  ['update now'],
  ['with care'],
  ['create a kiln; cool it;  \n{ x }'],
  ['public int fire(Kiln k) {'],
  ['func fire(k Kiln) error {'],
  ['const fire = (k) => {'],
  ['return fire(k);'],
  ['import Data.Kiln'],
  ['from here on'],
  ['{ "a": }'],
  ['{a, b}'],
  ['<kiln>'],
  ['-----\n+++++'],
  ['kiln fire --cone 6'],
  [''],
])('guesses no language for %j', (code) => expect(guessLanguage(code)).toBeNull())

test.each(['-- x\n', 'int ', '/*', 'CREATE ', 'a', 'def x()', 'def x(:#', 'class X()', '; ', '$ '])(
  'inspects repeated %j in bounded time',
  (piece) => {
    expect(cpuSeconds(() => guessLanguage(piece.repeat(50_000)))).toBeLessThan(0.3)
    expect(cpuSeconds(() => guessLanguage(`def x(${piece.repeat(50_000)}`))).toBeLessThan(0.3)
  },
)
