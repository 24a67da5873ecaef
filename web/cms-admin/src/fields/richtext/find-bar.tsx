import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { CaseSensitive, ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { findKey } from './find.ts'

type FindBarProps = { editor: Editor; disabled: boolean; onClose: () => void }

/** Find and replace in one text. */
export const FindBar = ({ editor, disabled, onClose }: FindBarProps) => {
  const input = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState(() => selectedWords(editor))
  const [matchCase, setMatchCase] = useState(false)
  const [other, setOther] = useState('')
  const { count, at } = useEditorState({
    editor,
    selector: ({ editor: now }) => {
      const find = findKey.getState(now.state)
      return { count: find?.found.length ?? 0, at: find?.at ?? 0 }
    },
  })
  useEffect(() => {
    editor.commands.find(words, matchCase)
  }, [editor, words, matchCase])
  useEffect(() => {
    input.current?.select()
    return () => {
      if (!editor.isDestroyed) editor.commands.find('')
    }
  }, [editor])
  const close = () => {
    onClose()
    editor.commands.focus()
  }
  return (
    <search
      className="flex flex-wrap items-center gap-1.5 border-line border-b bg-sunken px-2 py-1.5"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        event.preventDefault()
        close()
      }}
    >
      <Input
        ref={input}
        aria-label="Find"
        placeholder="Find"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          editor.commands.findNext(event.shiftKey ? -1 : 1)
        }}
        className="min-w-32 flex-1 text-sm"
      />
      <span role="status" className="min-w-16 text-center text-muted text-xs tabular-nums">
        {words === '' ? '' : count === 0 ? 'Not found' : `${at + 1} of ${count}`}
      </span>
      <IconButton
        size="sm"
        label="Match case"
        icon={<CaseSensitive />}
        aria-pressed={matchCase}
        onClick={() => setMatchCase(!matchCase)}
        className={matchCase ? 'bg-accent-soft text-accent-ink!' : ''}
      />
      <IconButton
        size="sm"
        label="Previous"
        icon={<ChevronUp />}
        disabled={count === 0}
        onClick={() => editor.commands.findNext(-1)}
      />
      <IconButton
        size="sm"
        label="Next"
        icon={<ChevronDown />}
        disabled={count === 0}
        onClick={() => editor.commands.findNext(1)}
      />
      {disabled ? null : (
        <>
          <Input
            aria-label="Replace with"
            placeholder="Replace with"
            value={other}
            onChange={(event) => setOther(event.target.value)}
            className="min-w-32 flex-1 text-sm"
          />
          <Button size="sm" disabled={count === 0} onClick={() => editor.commands.replaceFound(other)}>
            Replace
          </Button>
          <Button size="sm" disabled={count === 0} onClick={() => editor.commands.replaceAllFound(other)}>
            Replace all
          </Button>
        </>
      )}
      <IconButton size="sm" label="Close find and replace" icon={<X />} onClick={close} />
    </search>
  )
}

/** The initial search words: the selected text. */
const selectedWords = (editor: Editor): string => {
  const { from, to } = editor.state.selection
  const words = editor.state.doc.textBetween(from, to, ' ')
  return words.length > 100 ? '' : words
}
