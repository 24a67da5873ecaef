import { html as spec } from 'parse5'
import { type Element, isElement } from './selectors.ts'
import { readTag } from './tag.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const VOID = words('area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr')

/** Whether it ends where its author wrote that it ends. */
export const isClosed = (html: string, { namespaceURI, tagName, sourceCodeLocation: location }: Element): boolean => {
  if (location?.endTag) return true
  if (namespaceURI === spec.NS.HTML) return VOID.has(tagName)
  return Boolean(location?.startTag && readTag(html, location.startOffset, location.startTag.endOffset).isSelfClosing)
}

/** Elements that may be there without being written, and need not be ended. */
const IMPLIED = words('html head body')
const UNWRITTEN = words('html head body tbody tr colgroup')

/**
 * Reads all elements in their order and says whether each is written where it stands in the tree, from start to end. Then
 * every slice of the page means the same wherever it stands among its siblings.
 */
export const createTidiness = (html: string) => {
  let isTidy = true
  let last = -1
  return {
    read(element: Element): void {
      const { tagName, parentNode: parent, sourceCodeLocation: location } = element
      if (!location) {
        isTidy &&= UNWRITTEN.has(tagName)
        return
      }
      const around = parent && isElement(parent) ? parent.sourceCodeLocation : null
      isTidy &&=
        location.startOffset > last &&
        (IMPLIED.has(tagName) || isClosed(html, element)) &&
        (!around || location.endOffset <= around.endOffset)
      last = location.startOffset
    },
    isTidy: () => isTidy,
  }
}
