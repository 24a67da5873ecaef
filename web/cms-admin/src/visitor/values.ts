import type { VisitorSettings, VisitorSettingsInput } from '@stoa/cms-model/visitor.ts'
import { differs } from '@stoa/ui/form/form-errors.ts'
import type { Form } from '@stoa/ui/form/use-form.ts'

/** The settings as they are typed: one website per line, one group of synonyms per line. */
export type VisitorValues = {
  enabled: boolean
  origins: string
  types: string[]
  label: string
  greeting: string
  /** The text by language. */
  refusal: Record<string, string>
  accent: string
  position: VisitorSettings['position']
  dailyLimit: string
  retentionDays: string
  rewrite: boolean
  synonyms: string
}

export type VisitorForm = Form<VisitorValues>

export const valuesOf = (settings: VisitorSettings): VisitorValues => ({
  enabled: settings.enabled,
  origins: settings.origins.join('\n'),
  types: settings.types,
  label: settings.label,
  greeting: settings.greeting,
  refusal: settings.refusal,
  accent: settings.accent,
  position: settings.position,
  dailyLimit: String(settings.dailyLimit),
  retentionDays: String(settings.retentionDays),
  rewrite: settings.rewrite,
  synonyms: settings.synonyms.map((group) => group.join(', ')).join('\n'),
})

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const groupsOf = (text: string): string[][] =>
  linesOf(text).map((line) =>
    line
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  )

/** A website as people paste it, a page of it too; as it is when it is none. */
export const readOrigin = (text: string): string => {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  return URL.canParse(whole) ? new URL(whole).origin : text
}

const isWhole = (text: string): boolean => /^\d{1,9}$/.test(text.trim())
const isColor = (text: string): boolean => /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)

/** Mistakes that the browser can find; the service checks the rest. */
export const problemsOf = (values: VisitorValues): Partial<Record<keyof VisitorValues, string>> => ({
  ...(values.enabled && values.types.length === 0 && { types: 'Choose at least one content type.' }),
  ...(values.label.trim() === '' && { label: 'Enter a label, such as Ask a question.' }),
  ...(!isColor(values.accent) && { accent: 'Enter a color like #2563eb.' }),
  ...(!isWhole(values.dailyLimit) && { dailyLimit: 'Enter a whole number.' }),
  ...((!isWhole(values.retentionDays) || Number(values.retentionDays) === 0) && {
    retentionDays: 'Enter a number of days, 1 or more.',
  }),
  ...(groupsOf(values.synonyms).some((group) => group.length === 1) && {
    synonyms: 'Enter at least two words per line, with commas between them.',
  }),
})

/** The members that differ from what is saved. */
export const changesOf = (saved: VisitorSettings, values: VisitorValues): VisitorSettingsInput => {
  const next = {
    enabled: values.enabled,
    origins: [...new Set(linesOf(values.origins).map(readOrigin))],
    types: values.types,
    label: values.label.trim(),
    greeting: values.greeting.trim(),
    refusal: Object.fromEntries(
      Object.entries(values.refusal).flatMap(([locale, text]) => (text.trim() === '' ? [] : [[locale, text.trim()]])),
    ),
    accent: values.accent,
    position: values.position,
    dailyLimit: Number(values.dailyLimit),
    retentionDays: Number(values.retentionDays),
    rewrite: values.rewrite,
    synonyms: groupsOf(values.synonyms),
  } satisfies VisitorSettingsInput
  return Object.fromEntries(Object.entries(next).filter(([name, value]) => differs(value, Reflect.get(saved, name))))
}

/** The HTML that adds the bubble to a page. */
export const embedCode = (origin: string): string => `<script src="${origin}/ext/assistant/widget.js" defer></script>`

/** For pages with a content security policy. */
export const policyLines = (origin: string): string => `script-src ${origin};\nconnect-src ${origin};`
