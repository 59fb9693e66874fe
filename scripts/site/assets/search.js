// The search of the static site. Plain JavaScript, so that a copy works from a folder without a server.
;(() => {
  const input = document.getElementById('search')
  const list = document.getElementById('results')
  const options = { fields: ['heading', 'title', 'text'], storeFields: ['page', 'title', 'heading', 'anchor'] }
  const query = { prefix: (term) => term.length > 2, fuzzy: 0.15, boost: { heading: 3, title: 2 }, combineWith: 'AND' }
  let index = null

  /** Loads the index with the first word. */
  function load() {
    index ??= new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = 'assets/search-index.js'
      script.addEventListener('load', () => resolve(window.MiniSearch.loadJSON(window.docentIndex, options)))
      script.addEventListener('error', () => reject(new Error('The index of the search could not be loaded.')))
      document.head.append(script)
    })
    return index
  }

  async function show() {
    const words = input.value.trim()
    list.hidden = words === ''
    if (words === '') return
    const loaded = await load()
    if (words !== input.value.trim()) return
    let found = loaded.search(words, query)
    if (found.length === 0) found = loaded.search(words, { ...query, combineWith: 'OR' })
    list.replaceChildren(...(found.length > 0 ? found.slice(0, 8).map(itemOf) : [note('Nothing found')]))
    list.hidden = false
  }

  function itemOf({ page, title, heading, anchor }) {
    const link = document.createElement('a')
    link.href = `${page}.html${heading === '' ? '' : `#${anchor}`}`
    link.textContent = heading === '' ? title : heading
    const item = document.createElement('li')
    item.append(link)
    if (heading !== '') item.append(note(title, 'small'))
    return item
  }

  function note(text, name = 'li') {
    const element = document.createElement(name)
    element.textContent = text
    return element
  }

  input.addEventListener('input', () => {
    show().catch((error) => list.replaceChildren(note(error.message)))
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') list.hidden = true
    if (event.key === 'Enter') list.querySelector('a')?.click()
  })
  list.addEventListener('click', () => (list.hidden = true))
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(?:INPUT|TEXTAREA)$/.test(event.target.tagName)) return
    event.preventDefault()
    input.focus()
  })
  // The list of documents is closed at first where it is above the text.
  if (window.matchMedia('(max-width: 800px)').matches) document.querySelector('nav details').open = false
})()
