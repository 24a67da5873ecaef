import { fillPreviewUrl, previewUrlProblem } from '@stoa/cms-model/preview-url.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { sentence } from '@stoa/ui/request/request.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { entriesQuery } from '../entries/queries.ts'
import { settingsQuery } from '../settings/queries.ts'

type PreviewUrlFieldProps = {
  /** Empty for a type that is not saved yet. */
  typeName: string
  value: string
  onValue: (value: string) => void
  error: string | undefined
}

const placeholders = ['{slug}', '{id}', '{locale}', '{type}'] as const

/** The address template of a type, with what can be filled in and what comes out of it. */
export const PreviewUrlField = ({ typeName, value, onValue, error }: PreviewUrlFieldProps) => {
  const input = useRef<HTMLInputElement>(null)
  const insert = (placeholder: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {}
    const from = selectionStart ?? value.length
    const next = value.slice(0, from) + placeholder + value.slice(selectionEnd ?? from)
    onValue(next)
    const after = from + placeholder.length
    // The value is there after the next drawing
    requestAnimationFrame(() => {
      input.current?.focus()
      input.current?.setSelectionRange(after, after)
    })
  }
  const problem = value.trim() === '' ? null : previewUrlProblem(value.trim())
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Preview URL"
        optional
        help="Where your website shows an entry, used for previews, links and menus. A path is added to your website URL."
        error={problem === null ? error : sentence(problem)}
      >
        <Input
          ref={input}
          value={value}
          placeholder="/blog/{slug}"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono text-xs"
          onChange={({ target }) => onValue(target.value)}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="text-faint text-xs">Insert</span>
        {placeholders.map((placeholder) => (
          <Button key={placeholder} size="sm" className="font-mono" onClick={() => insert(placeholder)}>
            {placeholder}
          </Button>
        ))}
      </div>
      {value.trim() === '' || problem !== null ? null : <Example typeName={typeName} template={value.trim()} />}
    </div>
  )
}

const Example = ({ typeName, template }: { typeName: string; template: string }) => {
  const { data: settings } = useQuery(settingsQuery)
  const { data: entries } = useQuery({
    ...entriesQuery({ type: typeName, sort: '-updatedAt', limit: 1 }),
    enabled: typeName !== '',
  })
  const entry = typeName === '' ? undefined : entries?.items[0]
  const values = {
    slug: entry?.slug ?? 'a-first-entry',
    id: entry?.id ?? '01890a5d-ac96-774b-bcce-b302099a8057',
    locale: entry?.locale ?? settings?.locale ?? 'en',
    type: typeName || 'type',
  }
  const address = fillPreviewUrl(template, values, settings?.url ?? location.origin)
  return (
    <p className="min-w-0 rounded-lg border border-line bg-sunken px-3 py-2 text-xs">
      <span className="text-faint">{entry ? `“${entry.title || entry.slug}” will be at` : 'An entry will be at'}</span>{' '}
      <output aria-label="Example URL" className="break-all font-mono text-ink">
        {address}
      </output>
    </p>
  )
}
