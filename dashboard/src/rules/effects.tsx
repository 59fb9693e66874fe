/** The effects that the service read from a sentence, in words. */
export function Effects({ understood }: { understood: readonly string[] }) {
  return (
    <ul class="effects">
      {understood.map((sentence, index) => (
        <li key={index}>{sentence}</li>
      ))}
    </ul>
  )
}

/** Parts of a sentence that no rule can do. */
export function Removed({ parts }: { parts: readonly string[] }) {
  if (parts.length === 0) return null
  return (
    <div class="nb">
      <p>A rule cannot do this, so it was left out: {parts.map((part) => `“${part}”`).join(', ')}.</p>
    </div>
  )
}
