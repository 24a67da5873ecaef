/** Has the browser save a text as a file. */
export const saveFile = (fileName: string, text: string, type = 'text/plain'): void => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}
