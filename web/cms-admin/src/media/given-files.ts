/** Files of the clipboard under names that tell them apart: screenshots are all called `image.png`. */
export const pastedFiles = (files: readonly File[], now: Date): readonly File[] =>
  files.map((file, index) => {
    if (!/^image\.\w+$/.test(file.name)) return file
    const moment = now
      .toISOString()
      .replace(/\.\d+Z$/, '')
      .replace(/[T:]/g, '-')
    const number = files.length > 1 ? `-${index + 1}` : ''
    return new File([file], file.name.replace('image', `pasted-${moment}${number}`), { type: file.type })
  })
