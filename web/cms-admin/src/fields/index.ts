import type { FieldType } from '@stoa/cms-model/fields/types/index.ts'
import { boolean } from './boolean/boolean.tsx'
import { color } from './color/color.tsx'
import { date } from './date/date.tsx'
import { datetime } from './datetime/datetime.tsx'
import { email } from './email/email.tsx'
import type { AnyFieldView, DraftOptions, FieldView } from './field-view.ts'
import { gallery } from './gallery/gallery.tsx'
import { json } from './json/json.tsx'
import { list } from './list/list.tsx'
import { markdown } from './markdown/markdown.tsx'
import { media } from './media/media.tsx'
import { multiselect } from './multiselect/multiselect.tsx'
import { number } from './number/number.tsx'
import { reference } from './reference/reference.tsx'
import { richtext } from './richtext/richtext.tsx'
import { select } from './select/select.tsx'
import { text } from './text/text.tsx'
import { textarea } from './textarea/textarea.tsx'
import { url } from './url/url.tsx'

/** Every field type, in the order of the picker. */
export const fieldViews = {
  text,
  textarea,
  richtext,
  markdown,
  url,
  email,
  number,
  boolean,
  date,
  datetime,
  select,
  multiselect,
  media,
  gallery,
  color,
  reference,
  list,
  json,
} satisfies { [T in FieldType]: FieldView<T, DraftOptions> }

/** What the screens know about the type of a field. */
export const viewOf = (field: { readonly type: FieldType }): AnyFieldView => fieldViews[field.type]
