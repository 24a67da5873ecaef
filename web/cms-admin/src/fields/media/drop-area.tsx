import { cx } from '@stoa/ui/theme/cx.ts'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'

type DropAreaProps = { enabled: boolean; onFiles: (files: readonly File[]) => void; children: ReactNode }

/** Takes files that are dropped on it, and shows that it would. */
export const DropArea = ({ enabled, onFiles, children }: DropAreaProps) => {
  const [isOver, setIsOver] = useState(false)
  // Every element inside fires enter and leave events, too
  const depth = useRef(0)
  const listen = (action: (event: DragEvent) => void) => (event: DragEvent) => {
    if (!enabled || !event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.stopPropagation()
    action(event)
  }
  const enter = (change: 1 | -1) => {
    depth.current += change
    setIsOver(depth.current > 0)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the buttons inside do the same
    <div
      onDragEnter={listen(() => enter(1))}
      onDragLeave={listen(() => enter(-1))}
      onDragOver={listen((event) => {
        event.dataTransfer.dropEffect = 'copy'
      })}
      onDrop={listen((event) => {
        depth.current = 0
        setIsOver(false)
        const files = [...event.dataTransfer.files]
        if (files.length > 0) onFiles(files)
      })}
      className={cx(
        'flex min-w-0 flex-col gap-2 rounded-lg',
        isOver && 'bg-accent-soft outline-2 outline-accent outline-dashed',
      )}
    >
      {children}
    </div>
  )
}
