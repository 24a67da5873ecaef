import type { FromEditor } from '../protocol.ts'
import type { InlineEditing } from './inline.ts'
import { elementsOf, imageIn } from './marks.ts'
import { showsOnlyText, type TextValue, writeHtml, writeText } from './text.ts'

type Patch = Extract<FromEditor, { t: 'setText' | 'setImage' | 'setAlt' }>

/** Shows a value in every element of its field. What shows more than the value waits for the next rendering. */
export const applyPatch = (patch: Patch, inline: InlineEditing): void => {
  for (const element of elementsOf('field', patch.key)) {
    if (patch.t === 'setText') patchText(element, patch, inline)
    else patchImage(element, patch)
  }
}

const patchText = (element: Element, { value, html }: TextValue, inline: InlineEditing): void => {
  if (inline.show(element, { value, html })) return
  const kind = { formatted: html !== undefined, multiline: true }
  if (imageIn(element) || !showsOnlyText(element, kind)) return
  if (html !== undefined) writeHtml(element, html)
  else writeText(element, value ?? '')
}

const patchImage = (element: Element, patch: Extract<Patch, { t: 'setImage' | 'setAlt' }>): void => {
  const image = imageIn(element)
  if (!image) return
  image.alt = patch.alt
  if (patch.t === 'setAlt' || !isPictureAddress(patch.src)) return
  // Other sizes of the picture that was
  image.removeAttribute('srcset')
  image.removeAttribute('sizes')
  for (const source of image.closest('picture')?.querySelectorAll('source') ?? []) source.remove()
  image.src = patch.src
}

const isPictureAddress = (src: string): boolean =>
  /^(https?:|blob:|data:image\/)/i.test(URL.parse(src, document.baseURI)?.href ?? '')
