import { IconButton } from '@stoa/ui/button/button.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Tag, X } from 'lucide-react'
import { useEffect, useState } from 'react'

/** The syntax that the service accepts; any other tag would be refused. */
const TAG = /^[A-Za-z0-9_-]{1,256}(?::[A-Za-z0-9_-]{1,256})?$/
const PAUSE_MS = 300

type TagFilterProps = { value: string; onTag: (tag: string) => void }

/** Narrows to mails with a tag: its name, or name and value. */
export const TagFilter = ({ value, onTag }: TagFilterProps) => {
  const [text, setText] = useState(value)
  const [last, setLast] = useState(value)
  // A tag of a row was pressed, or the filters were cleared
  if (value !== last) {
    setLast(value)
    setText(value)
  }
  const tag = text.trim().replace(/\s*:\s*/, ':')
  const isWrong = tag !== '' && !tag.endsWith(':') && !TAG.test(tag)
  const isReady = tag === '' || TAG.test(tag)
  useEffect(() => {
    if (!isReady || tag === value) return
    const timer = setTimeout(() => onTag(tag), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [tag, isReady, value, onTag])
  return (
    <Input
      aria-label="Tag, or tag:value"
      placeholder="Tag or tag:value"
      className="max-w-44 text-sm phone:max-w-none phone:basis-full"
      aria-invalid={isWrong || undefined}
      title={isWrong ? 'Use only letters, digits, _ and -' : undefined}
      value={text}
      onChange={(event) => setText(event.target.value)}
      autoCapitalize="none"
      spellCheck={false}
      leading={<Tag aria-hidden />}
      trailing={
        text === '' ? null : (
          <IconButton
            size="sm"
            label="Clear tag"
            icon={<X />}
            className="size-6 touch:size-8"
            onClick={() => {
              setText('')
              onTag('')
            }}
          />
        )
      }
    />
  )
}
