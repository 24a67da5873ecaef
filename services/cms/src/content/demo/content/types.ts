import { contentTypeInput } from '@stoa/cms-model/content-types.ts'
import type { TypePlan } from './plan.ts'

const IMAGES = ['image/*']

/** In the order in which they can be made: a type comes after those that it refers to. */
export const types: readonly TypePlan[] = [
  contentTypeInput.parse({
    name: 'author',
    label: 'Author',
    labelPlural: 'Authors',
    description: 'The people who write and run the shop.',
    icon: 'users',
    fields: [
      { key: 'role', type: 'text', required: true, maxLength: 80, help: 'What they do in the shop.' },
      { key: 'portrait', type: 'media', accept: IMAGES },
      { key: 'bio', type: 'markdown', label: 'About', help: 'Two or three sentences.' },
      { key: 'email', type: 'email', label: 'E-mail address' },
      { key: 'website', type: 'url' },
    ],
  }),
  contentTypeInput.parse({
    name: 'article',
    label: 'Article',
    labelPlural: 'Articles',
    description: 'News from the shop, advice, and what we are reading.',
    icon: 'newspaper',
    previewUrl: '/articles/{slug}',
    fields: [
      {
        key: 'summary',
        type: 'textarea',
        required: true,
        maxLength: 240,
        help: 'Shown in lists and by search engines.',
      },
      { key: 'cover', type: 'media', accept: IMAGES },
      { key: 'body', type: 'richtext', label: 'Text', required: true },
      { key: 'gallery', type: 'gallery', accept: IMAGES, maxItems: 12 },
      { key: 'author', type: 'reference', to: 'author', multiple: false, label: 'Written by' },
      { key: 'date', type: 'date', required: true, help: 'The day that readers see.' },
      { key: 'minutes', type: 'number', label: 'Reading time', min: 1, max: 60, integer: true, help: 'In minutes.' },
      { key: 'related', type: 'reference', to: 'article', maxItems: 3, label: 'Read next' },
      { key: 'notes', type: 'textarea', hidden: true, help: 'For colleagues; it never leaves this place.' },
    ],
  }),
  contentTypeInput.parse({
    name: 'event',
    label: 'Event',
    labelPlural: 'Events',
    description: 'Readings, workshops and story mornings.',
    icon: 'calendar-days',
    previewUrl: '/events/{slug}',
    fields: [
      { key: 'summary', type: 'textarea', required: true, maxLength: 240 },
      { key: 'startsAt', type: 'datetime', label: 'Begins', required: true },
      { key: 'endsAt', type: 'datetime', label: 'Ends' },
      {
        key: 'kind',
        type: 'select',
        required: true,
        options: [
          { value: 'reading', label: 'Reading' },
          { value: 'workshop', label: 'Workshop' },
          { value: 'children', label: 'For children' },
        ],
      },
      {
        key: 'audience',
        type: 'multiselect',
        options: [
          { value: 'adults', label: 'Adults' },
          { value: 'families', label: 'Families' },
          { value: 'schools', label: 'Schools' },
        ],
      },
      { key: 'place', type: 'text', default: 'The back room' },
      { key: 'price', type: 'number', min: 0, step: 0.5, help: 'In euros; 0 is free.' },
      { key: 'soldOut', type: 'boolean' },
      { key: 'picture', type: 'media', accept: IMAGES },
      { key: 'hosts', type: 'reference', to: 'author' },
      {
        key: 'programme',
        type: 'list',
        fields: [
          { key: 'time', type: 'text', required: true },
          { key: 'what', type: 'text', required: true },
        ],
      },
      { key: 'body', type: 'richtext', label: 'Text' },
    ],
  }),
  contentTypeInput.parse({
    name: 'page',
    label: 'Page',
    labelPlural: 'Pages',
    description: 'What changes rarely: about us, how to find us, how to order.',
    icon: 'file-text',
    previewUrl: '/{slug}',
    fields: [
      { key: 'summary', type: 'textarea', maxLength: 240, help: 'Shown by search engines.' },
      { key: 'cover', type: 'media', accept: IMAGES },
      { key: 'body', type: 'richtext', label: 'Text', required: true },
      {
        key: 'questions',
        type: 'list',
        label: 'Questions and answers',
        fields: [
          { key: 'question', type: 'text', required: true },
          { key: 'answer', type: 'textarea', required: true },
        ],
      },
    ],
  }),
  contentTypeInput.parse({
    name: 'home',
    label: 'Home page',
    description: 'The first page of the website.',
    icon: 'house',
    kind: 'single',
    previewUrl: '/',
    fields: [
      { key: 'headline', type: 'text', required: true, maxLength: 120 },
      { key: 'intro', type: 'richtext', required: true },
      { key: 'picture', type: 'media', accept: IMAGES },
      { key: 'notice', type: 'text', maxLength: 160, help: 'One line at the top; empty hides it.' },
      { key: 'featured', type: 'reference', to: 'article', multiple: false, help: 'Shown large.' },
      {
        key: 'hours',
        type: 'list',
        label: 'Opening hours',
        fields: [
          { key: 'days', type: 'text', required: true },
          { key: 'times', type: 'text', required: true },
        ],
      },
    ],
  }),
]
