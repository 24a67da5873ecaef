import type { Editor, JSONContent } from '@tiptap/core'
import { NodeSelection } from '@tiptap/pm/state'
import { MediaPicker } from '../../media/picker/media-picker.tsx'
import { EmbedDialog } from './embed-dialog.tsx'
import { LinkDialog, type LinkValue } from './link-dialog.tsx'
import { textAttribute } from './nodes/element.ts'
import { alignments, pictureLinkOf } from './nodes/picture.ts'
import { PictureDialog, type PictureValue } from './picture-dialog.tsx'
import { SourceDialog } from './source-dialog.tsx'
import { CaptionDialog } from './table-menu.tsx'
import { pictureOf, playerOf } from './upload-pictures.ts'

export type OpenDialog =
  | 'link'
  | 'pictures'
  | 'players'
  | 'other-picture'
  | 'picture'
  | 'embed'
  | 'edit-embed'
  | 'caption'
  | 'source'

type RichTextDialogsProps = {
  editor: Editor
  open: OpenDialog | null
  html: string
  embedHosts: readonly string[]
  onHtml: (html: string) => void
  onClose: () => void
}

/** The dialog that is open, if any. */
export const RichTextDialogs = ({ editor, open, html, embedHosts, onHtml, onClose }: RichTextDialogsProps) => {
  switch (open) {
    case 'link':
      return <EditorLinkDialog editor={editor} onClose={onClose} />
    case 'pictures':
      return (
        <MediaPicker
          open
          multiple
          accept={['image/']}
          onOpenChange={onClose}
          onPick={(media) => editor.commands.insertPictures(media.map(pictureOf))}
        />
      )
    case 'players':
      return (
        <MediaPicker
          open
          multiple
          accept={['video/', 'audio/']}
          onOpenChange={onClose}
          onPick={(media) => editor.commands.insertPlayers(media.map(playerOf))}
        />
      )
    case 'other-picture':
      return (
        <MediaPicker
          open
          accept={['image/']}
          onOpenChange={onClose}
          onPick={([media]) => {
            if (!media) return
            const { caption: _, ...picture } = pictureOf(media)
            editor.commands.updateAttributes('picture', picture)
          }}
        />
      )
    case 'picture':
      return <EditorPictureDialog editor={editor} onClose={onClose} />
    case 'embed':
    case 'edit-embed':
      return <EditorEmbedDialog editor={editor} isNew={open === 'embed'} onClose={onClose} />
    case 'caption':
      return <CaptionDialog editor={editor} onClose={onClose} />
    case 'source':
      return (
        <SourceDialog
          html={html}
          embedHosts={embedHosts}
          onClose={onClose}
          onSave={(changed) => {
            onClose()
            onHtml(changed)
          }}
        />
      )
    case null:
      return null
  }
}

type DialogProps = { editor: Editor; onClose: () => void }

const EditorLinkDialog = ({ editor, onClose }: DialogProps) => {
  const attributes = editor.getAttributes('link')
  const href = textAttribute(attributes, 'href')
  const entryId = textAttribute(attributes, 'entryId')
  const isLink = href !== null || entryId !== null
  const save = ({ href: next, newTab, entryId: chosen = null }: LinkValue, title: string | null) => {
    const attrs = { href: next === '' ? null : next, entryId: chosen, target: newTab ? '_blank' : null }
    const { empty } = editor.state.selection
    if (empty && !isLink) insertLinkedText(editor, title ?? next, attrs)
    else editor.chain().extendMarkRange('link').setMark('link', attrs).run()
    onClose()
  }
  return (
    <LinkDialog
      initial={isLink ? { href: href ?? '', newTab: attributes.target === '_blank', entryId } : null}
      onSave={save}
      onRemove={
        isLink
          ? () => {
              editor.chain().extendMarkRange('link').unsetLink().run()
              onClose()
            }
          : undefined
      }
      onClose={onClose}
    />
  )
}

type LinkAttributes = { href: string | null; entryId: string | null; target: string | null }

const insertLinkedText = (editor: Editor, text: string, attrs: LinkAttributes): void => {
  const content: JSONContent = { type: 'text', text, marks: [{ type: 'link', attrs }] }
  editor.chain().insertContent(content).unsetMark('link').run()
}

/** The position of the selected picture, or of the one whose caption is selected. */
const picturePosition = (editor: Editor): number | null => {
  const { selection } = editor.state
  if (selection instanceof NodeSelection) return selection.node.type.name === 'picture' ? selection.from : null
  return selection.$from.parent.type.name === 'picture' ? selection.$from.before() : null
}

const EditorPictureDialog = ({ editor, onClose }: DialogProps) => {
  const at = picturePosition(editor)
  const node = at === null ? null : editor.state.doc.nodeAt(at)
  if (at === null || !node) return null
  const { attrs } = node
  const captionIsPlain = node.content.content.every((part) => part.isText && part.marks.length === 0)
  const save = ({ caption, ...picture }: PictureValue) => {
    const { tr, schema } = editor.state
    tr.setNodeMarkup(at, null, { ...attrs, ...picture })
    if (captionIsPlain && caption !== node.textContent)
      tr.replaceWith(at + 1, at + 1 + node.content.size, caption === '' ? [] : schema.text(caption))
    editor.view.dispatch(tr)
    onClose()
  }
  return (
    <PictureDialog
      initial={{
        alt: textAttribute(attrs, 'alt'),
        caption: node.textContent,
        align: alignments.find((known) => known === attrs.align) ?? null,
        link: pictureLinkOf(attrs),
      }}
      captionIsPlain={captionIsPlain}
      onSave={save}
      onClose={onClose}
    />
  )
}

const EditorEmbedDialog = ({ editor, isNew, onClose }: DialogProps & { isNew: boolean }) => {
  const attributes = editor.getAttributes('embed')
  return (
    <EmbedDialog
      initial={
        isNew ? null : { src: textAttribute(attributes, 'src') ?? '', title: textAttribute(attributes, 'title') ?? '' }
      }
      onSave={(embed) => {
        const attrs = { src: embed.src, title: embed.title === '' ? null : embed.title }
        if (isNew) editor.commands.insertEmbed(attrs)
        else editor.commands.updateAttributes('embed', attrs)
        onClose()
      }}
      onClose={onClose}
    />
  )
}
