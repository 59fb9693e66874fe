/** The objects of an answer in newline-delimited JSON, as they come. */
export async function* readLines(response: Response): AsyncGenerator {
  if (!response.body) return
  let rest = ''
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line)
  }
  if (rest.trim() !== '') yield JSON.parse(rest)
}
