# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# A page in Chromium, which is driven by its debugging protocol over a pipe: clicks and keys are those of a user, and what
# the page sends can be answered here.

import base64
import json
import os
import subprocess
import time

HANGS = 120 # s; what has not happened by then never does
# The pipe's ends are descriptors 3 and 4 of the browser.
START = 'exec chromium "$@" 3<&0 4>&1 </dev/null >&2'
OPTIONS = ('--headless=new', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
           '--hide-scrollbars', '--window-size=1200,620')


class Failure(Exception):
    """The browser, or a script in the page, reports an error."""


class Browser:
    """One page. Messages are objects of JSON, each with a NUL behind it."""

    def __init__(self, folder):
        self.process = subprocess.Popen(('sh', '-c', START, 'sh', *OPTIONS, f'--user-data-dir={folder}'),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, 'HOME': folder})
        self.buffer, self.last, self.session = b'', 0, None
        self.complaints = []  # errors that nothing in the page has caught
        self.posts = None  # what the page has posted since answer_posts()
        page = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=page, flatten=True)['sessionId']
        for domain in 'Page', 'Runtime', 'Log':
            self.call(f'{domain}.enable')

    def close(self):
        self.call('Browser.close')
        self.process.wait(HANGS)

    def read(self):
        while b'\0' not in self.buffer:
            octets = os.read(self.process.stdout.fileno(), 1 << 16)
            if not octets:
                raise Failure('the browser has ended')
            self.buffer += octets
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)

    def send(self, method, parameters):
        self.last += 1
        message = {'id': self.last, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        self.process.stdin.write(json.dumps(message).encode() + b'\0')
        self.process.stdin.flush()
        return self.last

    def call(self, method, **parameters):
        number = self.send(method, parameters)
        while True:
            message = self.read()
            if message.get('id') == number:
                break
            self.handle(message)
        if 'error' in message:
            raise Failure(f'{method}: {message["error"]["message"]}')
        return message['result']

    def handle(self, message):
        """Handles an event; answers to what send() has sent are of no interest."""
        event = message.get('params', {})
        if message.get('method') == 'Runtime.exceptionThrown':
            self.complaints.append(event['exceptionDetails'].get('exception', {}).get('description', 'an exception'))
        elif message.get('method') == 'Log.entryAdded' and event['entry']['source'] in ('security', 'violation'):
            self.complaints.append(event['entry']['text'])
        elif message.get('method') == 'Fetch.requestPaused':
            self.answer(event['requestId'], event['request'])

    def answer_posts(self):
        """From now on, what the page posts is kept and answered with status 200, and does not get to the server."""
        self.posts = []
        self.call('Fetch.enable')

    def answer(self, number, request):
        if request['method'] != 'POST':
            self.send('Fetch.continueRequest', {'requestId': number})
            return
        self.posts.append(request)
        self.send('Fetch.fulfillRequest', {'requestId': number, 'responseCode': 200, 'body': ''})

    def open(self, address):
        """Opens a page anew; another text behind its # alone would not do so."""
        for url in 'about:blank', address:
            error = self.call('Page.navigate', url=url).get('errorText')
            if error:
                raise Failure(f'{url}: {error}')

    def value(self, expression):
        """What an expression of JavaScript has for a value in the page."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise Failure(f'{expression}: {result["exceptionDetails"]["exception"].get("description")}')
        return result['result'].get('value')

    def until(self, expression):
        """Waits until an expression is true."""
        end = time.monotonic() + HANGS
        while not self.value(expression):
            if time.monotonic() > end:
                raise Failure(f'this does not become true: {expression}')
            time.sleep(0.05)

    def click(self, expression):
        """Clicks at the middle of an element, or, of a path, at the middle of its curve."""
        x, y = self.value(f'''(() => {{
            const element = {expression};
            element.scrollIntoView({{ block: 'center', inline: 'center' }});
            if (element instanceof SVGPathElement) {{
                const point = element.getPointAtLength(element.getTotalLength() / 2).matrixTransform(element.getScreenCTM());
                return [point.x, point.y];
            }}
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()''')
        for event in 'mousePressed', 'mouseReleased':
            self.call('Input.dispatchMouseEvent', type=event, x=x, y=y, button='left', clickCount=1)

    def press(self, key):
        for event in 'keyDown', 'keyUp':
            self.call('Input.dispatchKeyEvent', type=event, key=key)

    def insert(self, text):
        """Enters a text where the cursor is."""
        self.call('Input.insertText', text=text)

    def screenshot(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.call('Page.captureScreenshot')['data']))
