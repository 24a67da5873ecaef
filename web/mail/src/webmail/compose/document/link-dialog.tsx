import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import type { Editor } from '@tiptap/core'
import { type FormEvent, useId, useState } from 'react'
import { completeHref } from './links.ts'

/** Asks where a link leads, and what it says where nothing is selected. */
export const LinkDialog = ({ editor, onClose }: { editor: Editor; onClose: () => void }) => {
  const id = useId()
  const [initial] = useState(() => String(editor.getAttributes('link').href ?? ''))
  const [needsText] = useState(() => editor.state.selection.empty && initial === '')
  const [href, setHref] = useState(initial)
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const close = () => {
    onClose()
    setTimeout(() => editor.commands.focus())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const address = completeHref(href)
    if (address === null) return setError('Enter a URL or email address, like https://example.org or ann@example.org.')
    if (needsText) {
      const marks = [{ type: 'link', attrs: { href: address } }]
      editor.commands.insertContent({ type: 'text', text: text.trim() || href.trim(), marks })
    } else editor.chain().extendMarkRange('link').setMark('link', { href: address }).run()
    close()
  }
  return (
    <Dialog
      open
      onOpenChange={close}
      size="sm"
      title={initial === '' ? 'Add link' : 'Edit link'}
      footer={
        <>
          {initial === '' ? null : (
            <Button
              variant="danger-quiet"
              className="mr-auto"
              onClick={() => {
                editor.chain().extendMarkRange('link').unsetMark('link').run()
                close()
              }}
            >
              Remove link
            </Button>
          )}
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={id} variant="primary">
            {initial === '' ? 'Add link' : 'Save link'}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field label="URL" error={error}>
          <Input
            value={href}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://…"
            onChange={(event) => {
              setHref(event.target.value)
              setError(undefined)
            }}
          />
        </Field>
        {needsText ? (
          <Field label="Text" optional>
            <Input value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
        ) : null}
      </form>
    </Dialog>
  )
}
