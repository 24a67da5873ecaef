import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import type { Form } from '@stoa/ui/form/use-form.ts'
import type { ReactNode } from 'react'
import { ImageField } from './image-field.tsx'
import { LocalesField } from './locales-field.tsx'
import { nameOfLocale, type SettingsValues } from './values.ts'

/** Time zones known to the browser; the service may know more. */
const timeZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')]

type SettingsForm = Form<SettingsValues>

type Setting = {
  name: keyof SettingsValues
  label: string
  /** Other words that find it. */
  words?: string
  field: (form: SettingsForm) => ReactNode
}

export type Section = { id: string; title: string; description: string; settings: readonly Setting[] }

/** Everything that can be set, in the order of the page. */
const sections: readonly Section[] = [
  {
    id: 'site',
    title: 'Site',
    description: 'How your website presents itself',
    settings: [
      {
        name: 'title',
        label: 'Title',
        words: 'name',
        field: (form) => (
          <Field label="Title" optional error={form.errors.title}>
            <Input {...form.text('title')} />
          </Field>
        ),
      },
      {
        name: 'tagline',
        label: 'Tagline',
        words: 'slogan',
        field: (form) => (
          <Field label="Tagline" optional help="A few words below the title" error={form.errors.tagline}>
            <Input {...form.text('tagline')} />
          </Field>
        ),
      },
      {
        name: 'description',
        label: 'Description',
        words: 'seo search engines',
        field: (form) => (
          <Field
            label="Description"
            optional
            help="For search engines and link previews"
            error={form.errors.description}
          >
            <Textarea {...form.text('description')} />
          </Field>
        ),
      },
      {
        name: 'url',
        label: 'Website URL',
        words: 'url domain preview',
        field: (form) => (
          <Field label="Website URL" optional help="Where links and previews point to" error={form.errors.url}>
            <Input {...form.text('url')} type="url" autoCapitalize="none" placeholder="https://www.example.com" />
          </Field>
        ),
      },
      {
        name: 'timezone',
        label: 'Time zone',
        words: 'timezone clock hours social calendar',
        field: (form) => (
          <Field
            label="Time zone"
            help="Used for the social calendar, such as Europe/Berlin"
            error={form.errors.timezone}
          >
            <Input {...form.text('timezone')} autoCapitalize="none" list="time-zones" spellCheck={false} />
            <datalist id="time-zones">
              {timeZones().map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          </Field>
        ),
      },
      {
        name: 'logoId',
        label: 'Logo',
        words: 'picture image brand icon',
        field: (form) => (
          <ImageField
            label="Logo"
            help="Shown next to the title"
            error={form.errors.logoId}
            value={form.values.logoId}
            onValue={(logoId) => form.set({ logoId })}
          />
        ),
      },
      {
        name: 'socialImageId',
        label: 'Social image',
        words: 'picture preview share open graph card',
        field: (form) => (
          <ImageField
            label="Social image"
            help="Shown when a page without its own image is shared. Recommended: 1200 × 630 pixels."
            error={form.errors.socialImageId}
            value={form.values.socialImageId}
            onValue={(socialImageId) => form.set({ socialImageId })}
          />
        ),
      },
    ],
  },
  {
    id: 'languages',
    title: 'Languages',
    description: 'Languages you write entries in',
    settings: [
      {
        name: 'locales',
        label: 'Languages',
        words: 'locales translations',
        field: (form) => (
          <LocalesField
            value={form.values.locales}
            standard={form.values.locale}
            onValue={(locales) => form.set({ locales })}
            error={form.errors.locales}
          />
        ),
      },
      {
        name: 'locale',
        label: 'Default language',
        words: 'locale',
        field: (form) => (
          <Field label="Default language" help="Used when no language is specified" error={form.errors.locale}>
            <Select
              {...form.choice('locale')}
              options={form.values.locales.map((tag) => ({ value: tag, label: `${nameOfLocale(tag)} (${tag})` }))}
            />
          </Field>
        ),
      },
    ],
  },
  {
    id: 'images',
    title: 'Media',
    description: 'Image sizes and what happens to uploads',
    settings: [
      {
        name: 'imageSizes',
        label: 'Widths and heights',
        words: 'pictures renditions pixels',
        field: (form) => (
          <Field
            label="Widths and heights"
            help="In pixels, 16 to 4096, separated by commas. Images are resized on first request."
            error={form.errors.imageSizes}
          >
            <Input {...form.text('imageSizes')} inputMode="numeric" />
          </Field>
        ),
      },
      {
        name: 'stripLocation',
        label: 'Remove location from uploads',
        words: 'gps exif privacy metadata photos videos',
        field: (form) => (
          <SwitchField
            label="Remove location from uploads"
            help="Removes where photos and videos were taken. When off, anyone who downloads a file can see it."
            checked={form.values.stripLocation}
            onChecked={(stripLocation) => form.set({ stripLocation })}
          />
        ),
      },
    ],
  },
  {
    id: 'history',
    title: 'Revisions and trash',
    description: 'How long old versions and deleted entries are kept',
    settings: [
      {
        name: 'revisionLimit',
        label: 'Revisions per entry',
        words: 'history versions',
        field: (form) => (
          <Field label="Revisions per entry" optional help="Leave empty to keep all" error={form.errors.revisionLimit}>
            <Input {...form.text('revisionLimit')} inputMode="numeric" className="max-w-40" placeholder="All" />
          </Field>
        ),
      },
      {
        name: 'trashDays',
        label: 'Days in the trash',
        words: 'deleted forget',
        field: (form) => (
          <Field
            label="Days in the trash"
            optional
            help="After that, entries are permanently deleted. Leave empty to keep them until someone empties the trash."
            error={form.errors.trashDays}
          >
            <Input {...form.text('trashDays')} inputMode="numeric" className="max-w-40" placeholder="Forever" />
          </Field>
        ),
      },
    ],
  },
  {
    id: 'delivery',
    title: 'Delivery',
    description: 'How websites read your content',
    settings: [
      {
        name: 'deliveryRatePerMinute',
        label: 'Requests per minute, per key',
        words: 'rate limit api',
        field: (form) => (
          <Field
            label="Requests per minute, per key"
            optional
            help="Leave empty for no limit. Static builds make many requests in a short time."
            error={form.errors.deliveryRatePerMinute}
          >
            <Input
              {...form.text('deliveryRatePerMinute')}
              inputMode="numeric"
              className="max-w-40"
              placeholder="Unlimited"
            />
          </Field>
        ),
      },
    ],
  },
]

/** The sections with the settings that these words find, and `always` those; a section's own title finds all of it. */
export const findSettings = (words: string, always: readonly string[] = []): readonly Section[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (text: string) => wanted.every((word) => text.toLowerCase().includes(word))
  return sections.flatMap((section) => {
    if (matches(section.title)) return [section]
    const settings = section.settings.filter(
      ({ name, label, words: others = '' }) => always.includes(name) || matches(`${section.title} ${label} ${others}`),
    )
    return settings.length > 0 ? [{ ...section, settings }] : []
  })
}
