import type { FieldType } from '@stoa/cms-model/fields/index.ts'

/** What people call the field types. */
export const fieldTypeLabels: Readonly<Record<FieldType, string>> = {
  text: 'Text',
  textarea: 'Long text',
  richtext: 'Rich text',
  markdown: 'Markdown',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  datetime: 'Date and time',
  select: 'Choice',
  multiselect: 'Several choices',
  media: 'Image or file',
  gallery: 'Gallery',
  reference: 'Reference',
  list: 'List',
  json: 'JSON',
  color: 'Colour',
  url: 'Link',
  email: 'E-mail',
}

/** One line about what each is good for. */
export const fieldTypeLines: Readonly<Record<FieldType, string>> = {
  text: 'One line: a subtitle, a code.',
  textarea: 'Plain text over several lines.',
  richtext: 'Formatting, images, tables, embeds.',
  markdown: 'Formatted writing as source.',
  number: 'A price, a rating, an amount.',
  boolean: 'A switch that is on or off.',
  date: 'A day of the calendar.',
  datetime: 'A moment, in every time zone.',
  select: 'One of the choices you list.',
  multiselect: 'Any number of them.',
  media: 'One file of the media library.',
  gallery: 'Several files, in an order.',
  reference: 'Other entries, such as an author.',
  list: 'Repeated fields: slides, steps.',
  json: 'Any data, for developers.',
  color: 'A colour such as #1d4ed8.',
  url: 'An address on the web, or a page.',
  email: 'An e-mail address.',
}

export type FieldGroup = { label: string; types: readonly FieldType[] }

/** The types in the order of the picker. */
export const fieldGroups: readonly FieldGroup[] = [
  { label: 'Text', types: ['text', 'textarea', 'richtext', 'markdown', 'url', 'email'] },
  { label: 'Values and choices', types: ['number', 'boolean', 'date', 'datetime', 'select', 'multiselect'] },
  { label: 'Media and structure', types: ['media', 'gallery', 'color', 'reference', 'list', 'json'] },
]
