import { renditionFits, renditionFormats, renditionQualities } from '@stoa/cms-model/media.ts'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Select, type SelectOption } from '@stoa/ui/form/select.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settingsQuery } from '../../settings/queries.ts'
import { checker } from '../media-thumb.tsx'
import type { MediaRecord } from '../queries.ts'
import { ownPath } from '../renditions.ts'

type Wanted = { w: string; h: string; fit: string; fm: string; q: string }

const ORIGINAL: Wanted = { w: '', h: '', fit: '', fm: '', q: '' }

/** Makes the address of a picture in another size, shape or format, and shows what it gives. */
export const RenditionBuilder = ({ media }: { media: MediaRecord }) => {
  const { data: sizes = [] } = useQuery({ ...settingsQuery, select: ({ imageSizes }) => imageSizes })
  const [wanted, setWanted] = useState(ORIGINAL)
  const search = searchOf(wanted)
  const pixels: readonly SelectOption[] = [
    { value: '', label: 'Original' },
    ...sizes.map((size) => ({ value: String(size), label: `${size} px` })),
  ]
  const choice = (name: keyof Wanted) => ({
    value: wanted[name],
    onValue: (value: string) => setWanted({ ...wanted, [name]: value }),
  })
  return (
    <Panel title="Other sizes and formats" description="Created on first request, never larger than the original">
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-5 gap-3 phone:grid-cols-2">
          <Field label="Width" optional>
            <Select {...choice('w')} options={pixels} />
          </Field>
          <Field label="Height" optional>
            <Select {...choice('h')} options={pixels} />
          </Field>
          <Field label="Fit" optional>
            <Select {...choice('fit')} options={optionsOf(renditionFits, FITS)} />
          </Field>
          <Field label="Format" optional>
            <Select {...choice('fm')} options={optionsOf(renditionFormats)} />
          </Field>
          <Field label="Quality" optional>
            <Select {...choice('q')} options={optionsOf(renditionQualities)} />
          </Field>
        </div>
        <div className="flex min-w-0 items-center gap-2 rounded-md border border-line bg-sunken px-3 py-2">
          <code className="min-w-0 flex-1 break-all font-mono text-xs">{media.url + search}</code>
          <CopyButton text={media.url + search} label="Copy URL" />
        </div>
        {search === '' ? null : <Result key={search} source={ownPath(media.url) + search} />}
      </div>
    </Panel>
  )
}

const FITS: Readonly<Record<string, string>> = { cover: 'Fill and crop', contain: 'Fit inside' }

const optionsOf = (values: readonly string[], labels: Readonly<Record<string, string>> = {}): SelectOption[] => [
  { value: '', label: 'Original' },
  ...values.map((value) => ({ value, label: labels[value] ?? value })),
]

const searchOf = (wanted: Wanted): string => {
  const search = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ''))
  return search.size === 0 ? '' : `?${search}`
}

const Result = ({ source }: { source: string }) => {
  const [size, setSize] = useState<string>()
  return (
    <figure className="flex flex-col items-start gap-1">
      <img
        src={source}
        alt=""
        onLoad={({ currentTarget }) => setSize(`${currentTarget.naturalWidth} × ${currentTarget.naturalHeight} pixels`)}
        onError={() => setSize("Couldn't create this image.")}
        className={cx('max-h-72 max-w-full rounded-md border border-line', checker)}
      />
      <figcaption role="status" className="text-faint text-xs">
        {size ?? 'Creating…'}
      </figcaption>
    </figure>
  )
}
