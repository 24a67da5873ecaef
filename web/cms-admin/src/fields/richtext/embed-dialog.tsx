import { embedFrom } from '@stoa/cms-model/html/embed-url.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { type FormEvent, useId, useState } from 'react'

type EmbedValue = { src: string; title: string }

type EmbedDialogProps = { initial: EmbedValue | null; onSave: (embed: EmbedValue) => void; onClose: () => void }

/** Asks for the address of a video and what it is called. */
export const EmbedDialog = ({ initial, onSave, onClose }: EmbedDialogProps) => {
  const id = useId()
  const [address, setAddress] = useState(initial?.src ?? '')
  const [title, setTitle] = useState(initial?.title ?? '')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    // A player that the site allows by its settings is not ours to judge, as long as it stays
    const src = address === initial?.src ? address : embedFrom(address)?.src
    if (src === undefined) return setError('Paste the URL of a YouTube or Vimeo video.')
    onSave({ src, title: title.trim() })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={initial ? 'Edit video' : 'Add video'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant="primary">
            {initial ? 'Save video' : 'Add video'}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field label="Video URL" help="From YouTube or Vimeo" error={error}>
          <Input
            value={address}
            placeholder="https://www.youtube.com/watch?v=…"
            onChange={(event) => {
              setAddress(event.target.value)
              setError(undefined)
            }}
          />
        </Field>
        <Field label="Title" optional help="Describes the video for screen readers">
          <Input value={title} onChange={(event) => setTitle(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  )
}
