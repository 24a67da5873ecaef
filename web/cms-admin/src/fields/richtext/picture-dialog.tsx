import { Button } from '@stoa/ui/button/button.tsx'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { type FormEvent, useId, useState } from 'react'
import { completeHref } from './link-address.ts'
import { type Alignment, alignments, type PictureLink } from './nodes/picture.ts'

/** `alt` is null while nobody has said what the picture shows, and empty for one that shows nothing of weight. */
export type PictureValue = {
  alt: string | null
  caption: string
  align: Alignment | null
  link: PictureLink | null
}

type PictureDialogProps = {
  initial: PictureValue
  /** A caption with formatting is written in the text itself. */
  captionIsPlain: boolean
  onSave: (picture: PictureValue) => void
  onClose: () => void
}

const alignmentLabels: Readonly<Record<Alignment, string>> = {
  left: 'Left, with text wrap',
  center: 'Centered',
  right: 'Right, with text wrap',
  wide: 'Wide',
}

/** Asks what a picture shows, what stands below it and where it stands. */
export const PictureDialog = ({ initial, captionIsPlain, onSave, onClose }: PictureDialogProps) => {
  const id = useId()
  const [alt, setAlt] = useState(initial.alt ?? '')
  const [decorative, setDecorative] = useState(initial.alt === '')
  const [caption, setCaption] = useState(initial.caption)
  const [align, setAlign] = useState<Alignment | null>(initial.align)
  const [address, setAddress] = useState(initial.link?.href ?? '')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const link = linkFrom(address, initial.link)
    if (link === undefined) return setError('Enter a URL like https://example.com or /about.')
    const text = alt.trim()
    onSave({ alt: decorative ? '' : text === '' ? null : text, caption: caption.trim(), align, link })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Image"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant="primary">
            Save image
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field label="Alt text" optional help="Describe the image for screen readers">
          <Input value={alt} disabled={decorative} onChange={(event) => setAlt(event.target.value)} />
        </Field>
        <CheckboxField
          label="Decorative"
          help="Adds nothing to the text. Screen readers skip it."
          checked={decorative}
          onChecked={setDecorative}
        />
        {captionIsPlain ? (
          <Field label="Caption" optional>
            <Input value={caption} onChange={(event) => setCaption(event.target.value)} />
          </Field>
        ) : null}
        <Field label="Position" optional>
          <Select
            value={align ?? ''}
            options={[
              { value: '', label: 'Default' },
              ...alignments.map((value) => ({ value, label: alignmentLabels[value] })),
            ]}
            onValue={(value) => setAlign(alignments.find((known) => known === value) ?? null)}
          />
        </Field>
        <Field label="Link" optional error={error}>
          <Input
            value={address}
            placeholder="https://…"
            onChange={(event) => {
              setAddress(event.target.value)
              setError(undefined)
            }}
          />
        </Field>
      </form>
    </Dialog>
  )
}

const linkFrom = (address: string, before: PictureLink | null): PictureLink | null | undefined => {
  if (address === before?.href) return before
  if (address.trim() === '') return null
  const href = completeHref(address)
  return href === null ? undefined : { href, title: null, hreflang: null, target: before?.target ?? null }
}
