import { Extension } from '@tiptap/core'

/** `lang` and `dir`, which every element of stored HTML may carry. They are kept, not edited. */
export const Language = Extension.create({
  name: 'language',
  addGlobalAttributes() {
    return [{ types: carriers, attributes: { lang: { default: null }, dir: { default: null } } }]
  },
})

const carriers = [
  ...['paragraph', 'heading', 'bulletList', 'orderedList', 'listItem', 'blockquote', 'codeBlock', 'preformatted'],
  ...['figure', 'figcaption', 'picture', 'inlineImage', 'embed', 'details', 'detailsSummary'],
  ...['table', 'tableRow', 'tableHeader', 'tableCell'],
  ...['bold', 'italic', 'underline', 'strike', 'code', 'subscript', 'superscript', 'highlight', 'link'],
]
