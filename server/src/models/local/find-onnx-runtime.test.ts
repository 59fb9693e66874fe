import { expect, test } from 'vitest'
import { findOnnxRuntime } from './find-onnx-runtime.ts'

const installed =
  (...names: string[]) =>
  (name: string) => {
    if (!names.includes(name)) throw new Error(`Cannot find package '${name}'`)
    return `file:///${name}`
  }
const TOKENIZERS = '@huggingface/tokenizers'

test('prefers the native runtime and reports which one it found', () => {
  expect(findOnnxRuntime(installed(TOKENIZERS, 'onnxruntime-web', 'onnxruntime-node'))).toEqual({
    runtime: 'file:///onnxruntime-node',
    tokenizers: `file:///${TOKENIZERS}`,
    isNative: true,
  })
  expect(findOnnxRuntime(installed(TOKENIZERS, 'onnxruntime-web'))).toMatchObject({ isNative: false })
})

test.each([[[]], [[TOKENIZERS]], [['onnxruntime-web']]])(
  'names the packages to install if only %j is installed',
  (names) => {
    expect(() => findOnnxRuntime(installed(...names))).toThrow(
      /is not installed.*npm install .*tokenizers onnxruntime-web/,
    )
  },
)
