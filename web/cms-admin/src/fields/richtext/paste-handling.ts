import { embedFrom } from '@stoa/cms-model/html/embed-url.ts'
import { describeRemoved, type RemovedKind, removedFrom } from '@stoa/cms-model/html/removed.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { type Editor, Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { cleanPaste, type Pasted, pastedPicture } from './paste.ts'
import { insertFiles, sendPicture } from './upload-pictures.ts'

/**
 * What comes from the clipboard or is dropped: formatted text with its meaning and without its looks, pictures by way
 * of the library, the address of a video as its player.
 */
export const PasteHandling = Extension.create({
  name: 'pasteHandling',
  // Before the link extension, which would make a link of a video's address
  priority: 1100,
  addProseMirrorPlugins() {
    const { editor } = this
    return [
      new Plugin({
        props: {
          transformPastedHTML: (html) => (isOwn(html) ? html : transform(editor, html)),
          handlePaste: (_view, event) => {
            const data = event.clipboardData
            if (!data) return false
            const files = [...data.files]
            const html = data.getData('text/html')
            if (files.length > 0 && (html === '' || isOnePicture(html))) {
              insertFiles(editor, files)
              return true
            }
            return pasteVideo(editor, data.getData('text/plain'))
          },
          handleDrop: (view, event, _slice, moved) => {
            const files = [...(event.dataTransfer?.files ?? [])]
            if (moved || files.length === 0) return false
            event.preventDefault()
            const place = view.posAtCoords({ left: event.clientX, top: event.clientY })
            insertFiles(editor, files, place?.pos)
            return true
          },
        },
      }),
    ]
  },
})

/** Copied from an editor like this one: its own signs say how it fits in. */
const isOwn = (html: string): boolean => html.includes(' data-pm-slice="')

/** A picture copied in a browser comes as a file and as HTML that leads to another website. */
const isOnePicture = (html: string): boolean => {
  const pasted = cleanPaste(html)
  return (
    pasted !== null && /^<figure>(?:<a [^>]*>)?<img [^>]*>(?:<\/a>)?<\/figure>$|^<p><img [^>]*><\/p>$/.test(pasted.html)
  )
}

const pasteVideo = (editor: Editor, text: string): boolean => {
  const { selection } = editor.state
  const embed = selection.empty && selection.$from.parent.content.size === 0 ? embedFrom(text) : null
  return embed !== null && editor.commands.insertEmbed({ src: embed.src, title: null })
}

const transform = (editor: Editor, html: string): string => {
  const pasted = cleanPaste(html)
  if (pasted === null) {
    toast({
      tone: 'danger',
      title: 'Too long to paste',
      description: 'The limit is 1 MB. Paste it in parts.',
    })
    return ''
  }
  announcePictures(pasted)
  announceRemoved(html)
  return pasted.html.replace(/<img src="(#pasted-\d+)"/g, (_all, src: string) => {
    const file = fileOfData(pasted.pictures[pastedPicture(src) ?? -1] ?? '')
    return `<img src="${file ? sendPicture(editor, file) : ''}"`
  })
}

/** Looks are left behind on purpose; of images `announcePictures` says more. */
const EXPECTED: readonly RemovedKind[] = ['style', 'image', 'script']

const announceRemoved = (html: string): void => {
  const removed = describeRemoved(removedFrom(html).filter(({ kind }) => !EXPECTED.includes(kind)))
  if (removed.length > 0) toast({ title: 'Removed from the pasted text', description: removed.join(', ') })
}

const announcePictures = ({ lostPictures, remotePictures }: Pasted): void => {
  if (lostPictures > 0)
    toast({
      title: `${formatCount(lostPictures, 'image', 'images')} couldn't be pasted`,
      description: "They're stored on the computer they were copied from. Drop the files into the text instead.",
    })
  if (remotePictures > 0)
    toast({
      title: `${formatCount(remotePictures, 'image is linked', 'images are linked')} from another website`,
      description: 'That website can change or remove them. Upload them to the media library to keep them.',
    })
}

/** The file that a `data:` address of a picture holds, or null. */
const fileOfData = (address: string): File | null => {
  const [, type, data] =
    /^data:(image\/(?:png|jpeg|gif|webp|avif|svg\+xml));base64,([A-Za-z0-9+/=\s]+)$/i.exec(address) ?? []
  if (type === undefined || data === undefined) return null
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
    const ending = type.slice('image/'.length).replace('+xml', '').replace('jpeg', 'jpg')
    return new File([bytes], `pasted.${ending}`, { type: type.toLowerCase() })
  } catch {
    // Not what it says it is: there is no picture in it
    return null
  }
}
