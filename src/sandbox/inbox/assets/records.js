// Copies what is `data-copyable`, and keeps what is marked `data-renew` as the server has it.

/** Without script there is nothing that copies, so the buttons come hidden. */
function showButtons(page) {
  for (const button of page.querySelectorAll('button.copy')) button.hidden = false;
}

showButtons(document);

document.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element ? target.closest('button.copy') : null;
  if (button === null) return;
  const name = button.textContent;
  try {
    const text = button.closest('[data-copyable]').querySelector('.selectable').textContent;
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    // Not allowed, or not on https or loopback: the text is there to be selected.
    button.textContent = 'Not allowed';
  }
  setTimeout(() => {
    button.textContent = name;
  }, 1500);
});

/** Milliseconds between two looks. */
const interval = 1500;

/** Puts what changed on the server in the place of what is shown. */
async function renew() {
  const reply = await fetch(location.href, { headers: { Accept: 'text/html' } });
  if (!reply.ok) return;
  const now = new DOMParser().parseFromString(await reply.text(), 'text/html');
  showButtons(now);
  for (const shown of document.querySelectorAll('[data-renew]')) {
    const fresh = now.getElementById(shown.id);
    if (fresh === null || fresh.innerHTML === shown.innerHTML) continue;
    // Nobody is torn away from what they read or stand on.
    if (selects(shown)) continue;
    const href = shown.contains(document.activeElement)
      ? document.activeElement.getAttribute('href')
      : null;
    shown.replaceChildren(...fresh.childNodes);
    if (href !== null) shown.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus();
  }
}

function selects(element) {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}

async function keepLive() {
  try {
    if (!document.hidden) await renew();
  } catch {
    // The server may be away for a moment.
  }
  setTimeout(keepLive, interval);
}

if (document.querySelector('[data-renew]') !== null) setTimeout(keepLive, interval);
