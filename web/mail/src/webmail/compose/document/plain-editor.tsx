import { type ClipboardEvent, useEffect, useRef } from 'react'
import { addFiles } from '../files.ts'
import { type ComposeWindow, editLetter } from '../windows.ts'

/** Plain text, as it is sent. */
export const PlainEditor = ({ one, text }: { one: ComposeWindow; text: string }) => {
  const area = useRef<HTMLTextAreaElement>(null)
  const isFirst = one.focus === 'body'
  useEffect(() => {
    if (!isFirst) return
    // An answer is written above what it quotes
    area.current?.setSelectionRange(0, 0)
    area.current?.focus()
  }, [isFirst])
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return
    event.preventDefault()
    addFiles(one.id, files)
  }
  return (
    <textarea
      ref={area}
      aria-label="Message"
      value={text}
      onChange={(event) => editLetter(one.id, () => ({ body: { format: 'text', text: event.target.value } }))}
      onPaste={paste}
      className="min-h-24 w-full flex-1 resize-none bg-transparent px-3 py-2.5 font-mono text-sm leading-text outline-none touch:text-md"
    />
  )
}
