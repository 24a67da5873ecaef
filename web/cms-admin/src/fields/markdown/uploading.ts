import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { problemOfFile } from '../../media/upload/file-check.ts'
import { uploadFile } from '../../media/upload/upload-file.ts'
import { apply, selectedIn } from './apply.ts'
import { pictureEdit } from './edits.ts'

const add = StateEffect.define<{ key: number; name: string; at: number }>({
  map: (value, changes) => ({ ...value, at: changes.mapPos(value.at) }),
})
const remove = StateEffect.define<number>()
let last = 0

/** Signs in the text for pictures that are on their way; they move with the text and are no part of it. */
export const uploading = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (signs, transaction) => {
    let next = signs.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (effect.is(add)) {
        const { key, name, at } = effect.value
        next = next.update({ add: [Decoration.widget({ widget: new Sign(name), side: 1, key }).range(at)] })
      } else if (effect.is(remove)) next = next.update({ filter: (_from, _to, sign) => sign.spec.key !== effect.value })
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Sends pictures to the library and puts each where it was dropped when it is there. */
export const sendPictures = (view: EditorView, files: readonly File[], at: number): void => {
  for (const file of files) {
    const problem = problemOfFile(file, { maxBytes: undefined, accept: ['image/'] })
    if (problem === undefined) void send(view, file, at)
    else toast({ tone: 'danger', title: `“${file.name}” skipped`, description: problem })
  }
}

const send = async (view: EditorView, file: File, at: number): Promise<void> => {
  last += 1
  const key = last
  view.dispatch({ effects: add.of({ key, name: file.name, at }) })
  try {
    const media = await uploadFile(file)
    const place = placeOf(view, key)
    if (place !== null) apply(view, pictureEdit({ ...selectedIn(view), from: place, to: place }, media.url, media.alt))
  } catch (error) {
    toast({ tone: 'danger', title: `Couldn't upload “${file.name}”`, description: messageOf(error) })
  }
  view.dispatch({ effects: remove.of(key) })
}

const placeOf = (view: EditorView, key: number): number | null => {
  for (const cursor = view.state.field(uploading).iter(); cursor.value; cursor.next())
    if (cursor.value.spec.key === key) return cursor.from
  return null
}

/** Subclasses, because that is how CodeMirror takes widgets. */
class Sign extends WidgetType {
  readonly name: string

  constructor(name: string) {
    super()
    this.name = name
  }

  override toDOM(): HTMLElement {
    const sign = document.createElement('span')
    sign.className = 'md-uploading'
    sign.textContent = `Uploading ${this.name}…`
    return sign
  }
}
