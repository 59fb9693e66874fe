import { useRef, useState } from 'preact/hooks'

/** Takes files that are dropped on an element. `isOver`: files are over it now. */
export function useDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false)
  // The pointer enters and leaves each element inside.
  const depth = useRef(0)
  const enter = (by: number) => (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    depth.current += by
    setOver(depth.current > 0)
  }
  return {
    isOver,
    events: {
      onDragEnter: enter(1),
      onDragLeave: enter(-1),
      onDragOver: (event: DragEvent) => event.preventDefault(),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        depth.current = 0
        setOver(false)
        onFiles([...(event.dataTransfer?.files ?? [])])
      },
    },
  }
}
