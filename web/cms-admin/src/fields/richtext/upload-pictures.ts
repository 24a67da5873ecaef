import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Editor, Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import type { MediaRecord } from '../../media/queries.ts'
import { ownPath } from '../../media/renditions.ts'
import { problemOfFile } from '../../media/upload/file-check.ts'
import { uploadFile } from '../../media/upload/upload-file.ts'
import { textAttribute } from './nodes/element.ts'
import type { PictureAttributes } from './nodes/picture.ts'
import type { PlayerAttributes } from './nodes/player.ts'
import { addPending, hasPending, isPending, resultOf, settlePending } from './pending-images.ts'

/** A picture of the library as the text holds it. Its path is enough: it is found by its id wherever it is shown. */
export const pictureOf = (media: MediaRecord): PictureAttributes => ({
  src: ownPath(media.url),
  alt: media.decorative ? '' : media.alt === '' ? null : media.alt,
  mediaId: media.id,
  width: media.width,
  height: media.height,
  caption: media.caption,
})

/** A video or sound of the library as the text holds it. */
export const playerOf = (media: MediaRecord): PlayerAttributes => ({
  kind: media.mimeType.startsWith('audio/') ? 'audio' : 'video',
  mediaId: media.id,
  src: ownPath(media.url),
  title: media.caption || media.alt || null,
})

/** Sends a file to the library and gives the address that stands for it in the text until it is there. */
export const sendPicture = (editor: Editor, file: File): string => {
  const key = addPending(file)
  void finish(editor, key, file)
  return key
}

/** Puts files into the text, at the selection or where they were dropped, and sends them. */
export const insertFiles = (editor: Editor, files: readonly File[], at?: number): void => {
  const pictures = files.filter((file) => {
    const problem = problemOfFile(file, { maxBytes: undefined, accept: ['image/'] })
    if (problem !== undefined) toast({ tone: 'danger', title: `“${file.name}” skipped`, description: problem })
    return problem === undefined
  })
  if (pictures.length === 0) return
  const sent = pictures.map((file) => ({ src: sendPicture(editor, file), alt: null }))
  if (at !== undefined) editor.commands.setTextSelection(at)
  editor.commands.insertPictures(sent)
}

const finish = async (editor: Editor, key: string, file: File): Promise<void> => {
  try {
    const { caption: _, ...picture } = pictureOf(await uploadFile(file))
    settlePending(key, picture)
  } catch (error) {
    settlePending(key, null)
    toast({ tone: 'danger', title: `Couldn't upload “${file.name}”`, description: messageOf(error) })
  }
  if (!editor.isDestroyed) editor.view.dispatch(editor.state.tr.setMeta(SETTLED, true))
}

const SETTLED = new PluginKey('pictureSettled')

/** Puts pictures in the place of those that were on their way. One that comes back by undo finds its picture again. */
export const PictureUploads = Extension.create({
  name: 'pictureUploads',
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction: (transactions, _before, state) =>
        hasPending() && transactions.some((one) => one.docChanged || one.getMeta(SETTLED)) ? settle(state) : null,
    }),
  ],
})

/** How many pictures of a document are still on their way. */
export const countPending = (doc: Node): number => {
  if (!hasPending()) return 0
  let count = 0
  doc.descendants((node) => {
    const src = textAttribute(node.attrs, 'src')
    if (src !== null && isPending(src) && resultOf(src) === undefined) count += 1
  })
  return count
}

const settle = (state: EditorState): Transaction | null => {
  const found: { node: Node; at: number; picture: PictureAttributes | null }[] = []
  state.doc.descendants((node, at) => {
    const src = textAttribute(node.attrs, 'src')
    const picture = src !== null && isPending(src) ? resultOf(src) : undefined
    if (picture !== undefined) found.unshift({ node, at, picture })
  })
  if (found.length === 0) return null
  const change = state.tr.setMeta('addToHistory', false)
  // From the end: what is behind stays where it is
  for (const { node, at, picture } of found) {
    if (picture === null) change.delete(at, at + node.nodeSize)
    else change.setNodeMarkup(at, null, { ...node.attrs, ...picture, alt: node.attrs.alt ?? picture.alt })
  }
  return change
}
