import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('../src/styles/chart.css', import.meta.url), 'utf8')
const series = [...css.matchAll(/--s\d: light-dark\((#\w{6}), (#\w{6})\)/g)]

type Triple = readonly [number, number, number]

/**
 * Severe forms of colour blindness on linear RGB. Source: Machado, Oliveira and Fernandes, "A Physiologically-based Model
 * for Simulation of Color Vision Deficiency", 2009.
 */
const VISIONS: Record<string, readonly Triple[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const times = (matrix: readonly Triple[], [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple

/** Linear RGB of a colour such as `#1b7a66`. */
function linear(hex: string): Triple {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

/** OKLab (Ottosson, 2020). Distances are about as large as they look; black and white are 1 apart. */
function oklab(color: Triple): Triple {
  const lms = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  ).map(Math.cbrt) as unknown as Triple
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    lms,
  )
}

function seen(color: string, matrix: readonly Triple[]): Triple {
  return oklab(times(matrix, linear(color)).map((part) => Math.min(1, Math.max(0, part))) as unknown as Triple)
}

const luminance = (color: string): number => {
  const [red, green, blue] = linear(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('a chart has colours for eight series', () => {
  expect(series).toHaveLength(8)
})

test.each(Object.keys(VISIONS))('the colours of a chart can be told apart with %s colour vision', (vision) => {
  for (const scheme of [1, 2]) {
    const colors = series.map((found) => seen(found[scheme] ?? '', VISIONS[vision] ?? []))
    const distances = colors.flatMap((one, at) =>
      colors.slice(0, at).map((other) => Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])),
    )
    expect(distances).toHaveLength(28)
    expect(Math.min(...distances)).toBeGreaterThan(0.11)
  }
})

test('each colour of a chart has the contrast of graphics on its ground', () => {
  for (const [scheme, ground] of [
    [1, '#ffffff'],
    [2, '#151d19'],
  ] as const) {
    for (const found of series) {
      const [low = 0, high = 0] = [luminance(ground), luminance(found[scheme] ?? '')].toSorted((a, b) => a - b)
      expect((high + 0.05) / (low + 0.05), found[scheme]).toBeGreaterThanOrEqual(3)
    }
  }
})
