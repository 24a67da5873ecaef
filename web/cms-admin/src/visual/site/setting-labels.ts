import type { SettingsPart } from './sources.ts'

/** As the settings screen calls them. */
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
