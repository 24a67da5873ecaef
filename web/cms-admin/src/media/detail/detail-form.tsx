import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { type Form as FormState, useForm } from '@stoa/ui/form/use-form.ts'
import { LeaveDialog } from '@stoa/ui/navigation/leave-question.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useVersionedSave } from '../../conflict.tsx'
import { AltSuggestion } from '../../field-assistant/alt-suggestion.tsx'
import { FolderInput } from '../folder-input.tsx'
import { Preview } from '../preview.tsx'
import { foldersQuery, type MediaRecord, mediaKey, mediaQuery, readMedia, updateMedia } from '../queries.ts'
import { isRaster } from '../renditions.ts'
import { FocalPoint } from './focal-point.tsx'

type DetailFormProps = {
  /** The latest record from the service. */
  media: MediaRecord
  /** The record after the person replaced the file's content. */
  replaced: MediaRecord | undefined
  editable: boolean
}

type Values = {
  alt: string
  decorative: boolean
  caption: string
  folder: string
  filename: string
  focalX: number
  focalY: number
}

const valuesOf = ({ alt, decorative, caption, folder, filename, focalX, focalY }: MediaRecord): Values => ({
  alt,
  decorative,
  caption,
  folder,
  filename,
  focalX,
  focalY,
})

/** The picture with its focal point, and what is said about the file. */
export const DetailForm = ({ media, replaced, editable }: DetailFormProps) => {
  const queryClient = useQueryClient()
  const [saved, setSaved] = useState(media)
  const versioned = useVersionedSave(`“${media.filename}”`)
  const form = useForm<Values>({
    initial: valuesOf(media),
    validate: ({ filename }): { filename?: string } => (filename.trim() ? {} : { filename: 'Enter a name.' }),
    guard: editable,
    onSubmit: async (values) => {
      const changes = changedMembers(values, valuesOf(saved))
      const { record, saved: done } = await versioned.save({
        version: saved.version,
        write: (version) => updateMedia(media.id, changes, version),
        read: () => readMedia(media.id),
      })
      queryClient.setQueryData(mediaQuery(media.id).queryKey, record)
      void queryClient.invalidateQueries({ queryKey: mediaKey, refetchType: 'active' })
      setSaved(record)
      if (done) toast({ tone: 'success', title: `“${record.filename}” saved` })
      return valuesOf(record)
    },
  })
  // Typed text is kept; without it, others' changes are shown
  const newer = [replaced, form.dirty || form.submitting ? undefined : media].find(
    (record) => record !== undefined && record.version > saved.version,
  )
  if (newer) {
    setSaved(newer)
    if (!form.dirty) form.reset(valuesOf(newer))
  }
  return (
    <>
      <Form form={form} className="gap-6 desk:grid desk:grid-cols-[1.2fr_1fr] desk:items-start">
        {isRaster(saved.mimeType) ? (
          <FocalPoint
            media={saved}
            x={form.values.focalX}
            y={form.values.focalY}
            disabled={!editable}
            onPoint={(focalX, focalY) => form.set({ focalX, focalY })}
          />
        ) : (
          <Preview media={saved} />
        )}
        {editable ? <Fields form={form} media={saved} /> : <ReadOnly media={saved} />}
      </Form>
      {versioned.dialog}
      <LeaveFile dirty={form.dirty} />
    </>
  )
}

const Fields = ({ form, media }: { form: FormState<Values>; media: MediaRecord }) => {
  const { data: folders = [] } = useQuery(foldersQuery)
  const alt = useRef<HTMLTextAreaElement>(null)
  const takeAlt = (text: string) => {
    form.set({ alt: text })
    alt.current?.focus()
  }
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {media.mimeType.startsWith('image/') ? (
        <>
          <Field label="Alt text" optional help="Describe the image for screen readers" error={form.errors.alt}>
            <Textarea
              {...form.text('alt')}
              ref={alt}
              rows={2}
              disabled={form.values.decorative}
              className={form.values.alt === '' && !form.values.decorative ? 'border-draft-mark!' : ''}
            />
          </Field>
          {form.values.decorative ? null : <AltSuggestion media={media} onUse={takeAlt} />}
          <CheckboxField
            {...form.flag('decorative')}
            label="Decorative"
            help="Adds nothing to the text around it. Screen readers skip it."
            error={form.errors.decorative}
            onChecked={(decorative) => form.set(decorative ? { decorative, alt: '' } : { decorative })}
          />
        </>
      ) : null}
      <Field label="Caption" optional error={form.errors.caption}>
        <Textarea {...form.text('caption')} rows={3} />
      </Field>
      <Field label="Folder" optional error={form.errors.folder}>
        <FolderInput {...form.text('folder')} folders={folders} />
      </Field>
      <Field
        label="File name"
        help="Part of the URL. Links to the old URL stop working; entries update automatically."
        error={form.errors.filename}
      >
        <Input {...form.text('filename')} autoComplete="off" spellCheck={false} />
      </Field>
      <FormActions form={form} />
    </div>
  )
}

const ReadOnly = ({ media }: { media: MediaRecord }) => (
  <dl className="flex min-w-0 flex-col gap-4 text-sm">
    <Notice>You can view and use this file. Only editors and the person who uploaded it can change it.</Notice>
    {[
      { label: 'Alt text', value: media.decorative ? 'Decorative' : media.alt },
      { label: 'Caption', value: media.caption },
      { label: 'Folder', value: media.folder },
    ].map(({ label, value }) => (
      <div key={label} className="flex flex-col gap-0.5">
        <dt className="font-medium text-ink">{label}</dt>
        <dd className="whitespace-pre-line text-muted">{value || 'None'}</dd>
      </div>
    ))}
  </dl>
)

/** The next file has the same path: the app's own question does not see it. */
const LeaveFile = ({ dirty }: { dirty: boolean }) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname === next.pathname,
    withResolver: true,
    enableBeforeUnload: false,
  })
  return (
    <LeaveDialog
      open={blocker.status === 'blocked'}
      where="to this file"
      onStay={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  )
}
