import { expect, test } from 'vitest'
import { findOnnxRuntime } from './find-onnx-runtime.ts'

const installed =
  (...names: string[]) =>
  (name: string) => {
    if (!names.includes(name)) throw new Error(`Cannot find package '${name}'`)
    return `file:///${name}`
  }
const TOKENIZERS = '@huggingface/tokenizers'

test('the native runtime goes before the other, and says what it is', () => {
  expect(findOnnxRuntime(installed(TOKENIZERS, 'onnxruntime-web', 'onnxruntime-node'))).toEqual({
    runtime: 'file:///onnxruntime-node',
    tokenizers: `file:///${TOKENIZERS}`,
    isNative: true,
  })
  expect(findOnnxRuntime(installed(TOKENIZERS, 'onnxruntime-web'))).toMatchObject({ isNative: false })
})

test.each([[[]], [[TOKENIZERS]], [['onnxruntime-web']]])('with %j alone it is said what to install', (names) => {
  expect(() => findOnnxRuntime(installed(...names))).toThrow(
    /is not installed.*npm install .*tokenizers onnxruntime-web/,
  )
})
