import { Upload } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'

type UploadZoneProps = { folder: string; onFiles: (files: readonly File[]) => void }

/** Files that are dropped or pasted anywhere on the page are uploaded; says so while they hover. */
export const UploadZone = ({ folder, onFiles }: UploadZoneProps) => {
  const over = useDroppedFiles(onFiles)
  usePastedFiles(onFiles)
  if (!over) return null
  return (
    <div className="layer-overlay pointer-events-none fixed inset-0 flex items-center justify-center bg-overlay p-6">
      <div className="flex size-full max-h-96 max-w-prose flex-col items-center justify-center gap-3 rounded-xl border-2 border-accent border-dashed bg-raised text-center shadow-lg">
        <Upload aria-hidden className="size-8 text-accent-ink" />
        <p className="font-medium text-ink text-md">Drop to upload</p>
        <p className="text-muted text-sm">{folder === '' ? 'To the media library' : `To “${folder}”`}</p>
      </div>
    </div>
  )
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

const isBelowDialog = (): boolean => document.querySelector('[role=dialog], [role=alertdialog]') !== null

/** Whether files hover over the page now. */
const useDroppedFiles = (onFiles: (files: readonly File[]) => void): boolean => {
  const [over, setOver] = useState(false)
  const drop = useEffectEvent(onFiles)
  useEffect(() => {
    // Each element that is crossed is entered before the one around it is left
    let depth = 0
    const enter = (event: DragEvent) => {
      if (!hasFiles(event) || isBelowDialog()) return
      depth += 1
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const hover = (event: DragEvent) => {
      // Without this the browser opens the file in place of the admin
      if (hasFiles(event)) event.preventDefault()
    }
    const end = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth = 0
      setOver(false)
      const handled = event.defaultPrevented
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (!handled && !isBelowDialog() && files.length > 0) drop(files)
    }
    const listeners = { dragenter: enter, dragleave: leave, dragover: hover, drop: end } as const
    document.addEventListener('dragenter', listeners.dragenter)
    document.addEventListener('dragleave', listeners.dragleave)
    document.addEventListener('dragover', listeners.dragover)
    document.addEventListener('drop', listeners.drop)
    return () => {
      document.removeEventListener('dragenter', listeners.dragenter)
      document.removeEventListener('dragleave', listeners.dragleave)
      document.removeEventListener('dragover', listeners.dragover)
      document.removeEventListener('drop', listeners.drop)
    }
  }, [])
  return over
}

const usePastedFiles = (onFiles: (files: readonly File[]) => void): void => {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const target = event.target
    const typing = target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))
    if (typing || isBelowDialog()) return
    const files = pastedFiles([...(event.clipboardData?.files ?? [])], new Date())
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  })
  useEffect(() => {
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}

/** Files of the clipboard under distinct names: screenshots are all called `image.png`. */
const pastedFiles = (files: readonly File[], now: Date): readonly File[] =>
  files.map((file, index) => {
    if (!/^image\.\w+$/.test(file.name)) return file
    const moment = now
      .toISOString()
      .replace(/\.\d+Z$/, '')
      .replace(/[T:]/g, '-')
    const number = files.length > 1 ? `-${index + 1}` : ''
    return new File([file], file.name.replace('image', `pasted-${moment}${number}`), { type: file.type })
  })
