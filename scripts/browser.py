"""Headless Chromium over its DevTools protocol, by pipes: opens pages and inspects them. For scripts/site.py."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time

# Timeout of an answer in seconds.
PATIENCE = 60


def program():
    """Chromium's path, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One window. `errors` has the messages of scripts that failed."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="weft_site_")
        read_commands, self.commands = os.pipe()
        self.answers, write_answers = os.pipe()
        words = [program(), "--headless", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
                 "--disable-dev-shm-usage", "--window-size=1400,1000", "--user-data-dir=" + self.profile]
        # Chromium's sandbox does not work for root.
        words += ["--no-sandbox"] if os.geteuid() == 0 else []
        # Chromium reads commands from descriptor 3 and writes answers to 4.
        shell = 'exec "$@" 3<&%d 4>&%d' % (read_commands, write_answers)
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "bash"] + words + ["about:blank"],
            pass_fds=(read_commands, write_answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_commands)
        os.close(write_answers)
        self.buffer, self.events, self.errors, self.last, self.session = b"", [], [], 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")

    def close(self):
        os.close(self.commands)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, until):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], max(0, until - time.monotonic()))
            got = os.read(self.answers, 1 << 16) if ready else b""
            if not got:
                raise RuntimeError("Chromium does not answer")
            self.buffer += got
        message, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(message)
        if message.get("method") == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        return message

    def call(self, method, **parameters):
        """Sends a command and returns its answer. Events that arrive meanwhile are stored."""
        self.last += 1
        command = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            message = self.message(until)
            if message.get("id") != self.last:
                self.events.append(message.get("method"))
            elif "error" in message:
                raise RuntimeError("%s: %s" % (method, message["error"]["message"]))
            else:
                return message["result"]

    def loaded(self):
        """Waits for the page that is being opened."""
        until = time.monotonic() + PATIENCE
        while "Page.loadEventFired" not in self.events:
            self.events.append(self.message(until).get("method"))

    def open(self, url):
        self.events = []
        failure = self.call("Page.navigate", url=url).get("errorText")
        if failure:
            raise RuntimeError("%s: %s" % (url, failure))
        self.loaded()

    def value(self, script):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError("%s: %s" % (script, answer["exceptionDetails"]["text"]))
        return answer["result"].get("value")

    def click(self, script):
        """Clicks on the link that a JavaScript expression selects, and waits for its page."""
        self.events = []
        self.value("(%s).click()" % script)
        self.loaded()

    def wait(self, script):
        """Waits until a JavaScript expression is true in the page."""
        until = time.monotonic() + PATIENCE
        while not self.value(script):
            if time.monotonic() > until:
                return False
            time.sleep(0.1)
        return True
