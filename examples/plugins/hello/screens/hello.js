import { connect } from './stoa.js'

const stoa = await connect()
const { text } = await stoa.request('GET', '/hello')
document.querySelector('h1').textContent = text
