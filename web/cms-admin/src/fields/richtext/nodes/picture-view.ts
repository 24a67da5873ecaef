import type { NodeViewRenderer } from '@tiptap/core'
import { isPending, previewOf } from '../pending-images.ts'
import { displayUrl } from './display-url.ts'
import { textAttribute, written } from './element.ts'

/** Shows a picture as it is stored, with the file from this service wherever the site is published. */
export const pictureView: NodeViewRenderer = ({ node, editor, getPos }) => {
  const { type } = node
  const isBlock = type.name === 'picture'
  const image = document.createElement('img')
  image.draggable = false
  // A press beside the caption would only move the caret
  image.addEventListener('click', () => {
    const at = getPos()
    if (at !== undefined) editor.chain().focus().setNodeSelection(at).run()
  })
  const box = document.createElement(isBlock ? 'figure' : 'span')
  box.className = isBlock ? 'rt-picture' : 'rt-inline-image'
  box.append(image)
  const caption = isBlock ? document.createElement('figcaption') : undefined
  if (caption) {
    caption.dataset.placeholder = 'Add a caption'
    box.append(caption)
  }
  const draw = (attrs: Readonly<Record<string, unknown>>): void => {
    const src = textAttribute(attrs, 'src')
    const waits = src !== null && isPending(src)
    box.toggleAttribute('data-uploading', waits)
    setOrRemove(box, 'data-align', textAttribute(attrs, 'align'))
    box.toggleAttribute('data-no-alt', textAttribute(attrs, 'alt') === null && !waits)
    const shown = waits ? previewOf(src) : displayUrl(src, textAttribute(attrs, 'mediaId'))
    if (shown !== image.getAttribute('src')) setOrRemove(image, 'src', shown)
    const { alt = '' } = written({ alt: textAttribute(attrs, 'alt') })
    image.alt = alt
    setOrRemove(image, 'width', numberText(attrs.width))
    setOrRemove(image, 'height', numberText(attrs.height))
  }
  draw(node.attrs)
  return {
    dom: box,
    ...(caption ? { contentDOM: caption } : {}),
    update: (next) => {
      if (next.type !== type) return false
      draw(next.attrs)
      return true
    },
    ignoreMutation: (mutation) => mutation.type !== 'selection' && !caption?.contains(mutation.target),
  }
}

const setOrRemove = (element: Element, name: string, value: string | null): void => {
  if (value === null) element.removeAttribute(name)
  else element.setAttribute(name, value)
}

const numberText = (value: unknown): string | null => (typeof value === 'number' ? String(value) : null)
