import type { SettingsPart } from './sources.ts'

/** The labels match those of the settings screen. */
export const settingLabels: Record<SettingsPart['source']['fields'][number], string> = {
  title: 'Title',
  tagline: 'Tagline',
  description: 'Description',
  url: 'Website URL',
  locale: 'Default language',
  locales: 'Languages',
  logoId: 'Logo',
  socialImageId: 'Social image',
}
