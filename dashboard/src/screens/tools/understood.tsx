import type { Output } from '@docent/sdk'

type Tool = Pick<Output<'customTools.list'>['tools'][number], 'understood' | 'leftOut' | 'description'>

/** What a tool does, made from its plan, the words of its request that were left out, and its description if somebody changed it. */
export function Understood({ tool: { understood = '', leftOut = [], description } }: { tool: Tool }) {
  return (
    <>
      <span class="small">
        <span class="mute">Understood:</span> {understood}
      </span>
      {leftOut.length > 0 && (
        <span class="small warn">
          Left out, because no source has it: {leftOut.map((part) => `“${part}”`).join(', ')}. Only the assistant can
          use it.
        </span>
      )}
      {!description.startsWith(firstSentence(understood)) && <span class="small">{description}</span>}
    </>
  )
}

const firstSentence = (text: string): string => text.split('. ', 1)[0] ?? ''
