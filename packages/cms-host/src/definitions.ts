/** How the page of one content type is edited on the page itself. */
export type VisualDefinition = {
  /** The sections of the page, in their order. */
  sections?: readonly VisualSection[] | undefined
  /** Field key (`$title`: the title of the entry) to a CSS selector of the elements that show it. */
  fields?: Readonly<Record<string, string>> | undefined
  /** Fields that hold the slug of an entry of another type: the editor offers a search. */
  references?: Readonly<Record<string, Records>> | undefined
  /** Fields that hold text with italics and line breaks. */
  formatted?: readonly string[] | undefined
}

export type VisualSection = {
  /** Stable: layouts are saved with it. */
  id: string
  label: string
  /** A CSS selector that finds the section wherever it stands. */
  selector: string
  /** Keys of the fields that are edited in this section. */
  fields?: readonly string[] | undefined
  /** False keeps the section in its place. */
  movable?: boolean | undefined
  /** Entries that the section shows. */
  collection?: Records | undefined
}

/** Entries of a content type, under a name for people. */
export type Records = { type: string; label: string }

/** The parts that all pages share: header, navigation, footer. */
export type WebsiteManifest = {
  /** Path of the page on which the parts are edited. */
  previewUrl: string
  parts: readonly WebsitePart[]
}

export type WebsitePart = {
  id: string
  label: string
  description?: string | undefined
  selector: string
  source: MenuSource | EntrySource | SettingsSource
}

/** A menu. While there is none of that name, `defaults` are its links; the first save by an editor makes it. */
export type MenuSource = {
  kind: 'menu'
  name: string
  label: string
  defaults?: readonly { label: string; url: string }[] | undefined
}
/** Fields of the one entry of a single type. */
export type EntrySource = { kind: 'entry'; type: string; fields: readonly string[] }
export type SettingsSource = { kind: 'settings'; fields: readonly SettingsKey[] }
export type SettingsKey =
  | 'title'
  | 'tagline'
  | 'description'
  | 'url'
  | 'locale'
  | 'locales'
  | 'logoId'
  | 'socialImageId'

/** What of the website's looks people may change: values of custom properties that its styles read. */
export type DesignManifest = { surfaces: readonly DesignSurface[] }

export type DesignSurface = {
  id: string
  label: string
  /** The elements on which the custom properties are set; `:root` if absent. */
  selector?: string | undefined
  properties: readonly DesignProperty[]
}

export type DesignProperty = {
  key: string
  label: string
  type: 'color' | 'number' | 'length' | 'select' | 'font' | 'media'
  /** The custom property, such as `--brand-color`. */
  css: string
  /** What the website's own styles say; null for a picture. */
  default?: string | number | null | undefined
  /** What a select or a font offers. */
  options?: readonly { value: string; label: string }[] | undefined
  min?: number | undefined
  max?: number | undefined
  units?: readonly ('px' | 'rem' | 'em' | '%' | 'vw' | 'vh' | 'ch')[] | undefined
}

/** What is saved in `data.__layout` of an entry: ids of sections. */
export type VisualLayout = {
  order?: readonly string[] | undefined
  hidden?: readonly string[] | undefined
}
